package io.clusterecho.node.service;

import io.clusterecho.schema.RunningChecksum;

/**
 * What the service knows of one client. A mutable record that its {@link ClientTable} owns and uses again for another client
 * after an eviction; {@code older} and {@code newer} chain the clients in the order of their last requests in the log.
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

    /**
     * Take every field into a checksum, so that a snapshot proves that it came back as it was written.
     */
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
