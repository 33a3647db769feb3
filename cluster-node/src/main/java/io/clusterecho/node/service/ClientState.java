package io.clusterecho.node.service;

import io.clusterecho.schema.RunningChecksum;

/**
 * State of one client in the service. A mutable record owned by its {@link ClientTable}, which reuses it for another client after
 * an eviction; {@code older} and {@code newer} link the clients in the order of their last requests in the log.
 */
final class ClientState
{
    long clientId;
    long lastSequence;
    long appliedCount;
    long checksum;
    long lastPosition;
    long lastTime;
    ClientState older;
    ClientState newer;

    ClientState reset(final long newClientId)
    {
        clientId = newClientId;
        lastSequence = ClientTable.NO_SEQUENCE;
        appliedCount = 0;
        checksum = 0;
        lastPosition = 0;
        lastTime = 0;
        return this;
    }

    /** Fold every field into a checksum, which proves that a snapshot was read back as written. */
    long foldInto(final long previous)
    {
        long fold = RunningChecksum.fold(previous, clientId);
        fold = RunningChecksum.fold(fold, lastSequence);
        fold = RunningChecksum.fold(fold, appliedCount);
        fold = RunningChecksum.fold(fold, checksum);
        fold = RunningChecksum.fold(fold, lastPosition);
        return RunningChecksum.fold(fold, lastTime);
    }
}
