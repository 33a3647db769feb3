package io.clusterecho.node.service;

import java.util.Arrays;
import java.util.function.Consumer;

import io.clusterecho.schema.RunningChecksum;

import org.agrona.collections.Long2ObjectHashMap;

/**
 * The replicated state of the echo service: the last applied sequence and a running checksum of each client, and the checksum
 * over all clients. A function of the log alone: every member has the same table at the same position.
 * <p>
 * The number of clients is bounded. A new client beyond the bound evicts the one whose last request is earliest in the log:
 * unlike times, positions are never equal and never go back when another leader with another clock takes over. An evicted client
 * that returns is a new client: its ordered requests are answered with a gap that expects sequence 0, which shows it the
 * eviction; its other requests are applied again. The bound must therefore be the same on all members and well above the number
 * of active clients.
 * <p>
 * One thread. Does not allocate for known clients.
 */
final class ClientTable
{
    /**
     * State of one client in the service. A mutable record owned by its table, which reuses it for another client after an
     * eviction; {@code older} and {@code newer} link the clients in the order of their last requests in the log.
     */
    static final class ClientState
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

    /** The request was applied; its sequence follows the last one. */
    static final int APPLIED = 1;

    /** The request was applied, but the sequences between the last one and this one are missing. */
    static final int APPLIED_AFTER_GAP = 2;

    /** The request was applied before, or was overtaken; only the client's last position and time have changed. */
    static final int REPEATED = 3;

    /** The ordered request came too early; nothing has changed. */
    static final int TOO_EARLY = 4;

    /** Last sequence of a client without applied requests. */
    static final long NO_SEQUENCE = -1;

    final int maxClients;
    final Long2ObjectHashMap<ClientState> byClientId = new Long2ObjectHashMap<>();
    /** Closes the list of clients to a ring: its newer one is the oldest client, its older one the newest. */
    private final ClientState ends = new ClientState();
    /** Number of applied requests of all clients, including evicted ones. */
    long appliedCount;
    /**
     * Checksum over all applied requests, in the order of the log: {@link RunningChecksum#fold} of the client id, of the
     * client's checksum after the request and of the position of the request. The position makes a lasting difference: without
     * it, a request that is missed and applied when its client sends it again would leave the same checksum as if it had not
     * been missed.
     */
    long checksum;
    /** Number of clients evicted since this member started. */
    long evictedCount;

    /** @param maxClients bound on the number of clients, at least 1. */
    ClientTable(final int maxClients)
    {
        this.maxClients = maxClients;
        ends.older = ends;
        ends.newer = ends;
    }

    /**
     * Apply a request by the rules of its kind.
     *
     * @param sequence    of the request, from 0.
     * @param check       of the request, as an unsigned 32-bit value in an int.
     * @param isOrdered   true to apply only the next sequence, false to allow gaps.
     * @param logPosition of the request in bytes; greater than that of any earlier request.
     * @param clusterTime of the request in the cluster's time unit.
     * @return {@link #APPLIED}, {@link #APPLIED_AFTER_GAP}, {@link #REPEATED} or {@link #TOO_EARLY}.
     */
    int apply(
        final long clientId,
        final long sequence,
        final int check,
        final boolean isOrdered,
        final long logPosition,
        final long clusterTime)
    {
        ClientState client = byClientId.get(clientId);
        final long lastSequence = null == client ? NO_SEQUENCE : client.lastSequence;
        if (sequence <= lastSequence && null != client)
        {
            touch(client, logPosition, clusterTime);
            return REPEATED;
        }

        final boolean isNext = sequence == lastSequence + 1;
        if (isOrdered && !isNext)
        {
            return TOO_EARLY;
        }

        if (null == client)
        {
            client = add(clientId);
        }

        client.lastSequence = sequence;
        client.appliedCount++;
        client.checksum = RunningChecksum.next(client.checksum, sequence, check);
        touch(client, logPosition, clusterTime);
        appliedCount++;
        checksum = RunningChecksum.fold(
            RunningChecksum.fold(RunningChecksum.fold(checksum, clientId), client.checksum), logPosition);

        return isNext ? APPLIED : APPLIED_AFTER_GAP;
    }

    /** Sequence that the next ordered request of a client must have; 0 for an unknown client. */
    long expectedSequence(final long clientId)
    {
        final ClientState client = byClientId.get(clientId);
        return null == client ? 0 : client.lastSequence + 1;
    }

    int clientCount()
    {
        return byClientId.size();
    }

    /** Visit all clients in ascending client id. Allocates: for snapshots, not for the hot path. */
    void forEachAscending(final Consumer<ClientState> consumer)
    {
        final ClientState[] states = byClientId.values().toArray(new ClientState[0]);
        Arrays.sort(states, (a, b) -> Long.compare(a.clientId, b.clientId));
        for (final ClientState state : states)
        {
            consumer.accept(state);
        }
    }

    /** Give an empty table the state of a snapshot; the states of clients, none twice, are owned by the table from now on. */
    void restore(final long snapshotAppliedCount, final long snapshotChecksum, final ClientState[] states)
    {
        Arrays.sort(states, (a, b) -> Long.compare(a.lastPosition, b.lastPosition));
        for (final ClientState state : states)
        {
            byClientId.put(state.clientId, state);
            append(state);
        }

        appliedCount = snapshotAppliedCount;
        checksum = snapshotChecksum;
    }

    private ClientState add(final long clientId)
    {
        final ClientState client;
        if (byClientId.size() < maxClients)
        {
            client = new ClientState();
        }
        else
        {
            client = ends.newer;
            unlink(client);
            byClientId.remove(client.clientId);
            evictedCount++;
        }

        byClientId.put(clientId, client.reset(clientId));
        append(client);
        return client;
    }

    private void touch(final ClientState client, final long logPosition, final long clusterTime)
    {
        client.lastPosition = logPosition;
        client.lastTime = clusterTime;
        if (client != ends.older)
        {
            unlink(client);
            append(client);
        }
    }

    private void append(final ClientState client)
    {
        client.older = ends.older;
        client.newer = ends;
        ends.older.newer = client;
        ends.older = client;
    }

    private static void unlink(final ClientState client)
    {
        client.older.newer = client.newer;
        client.newer.older = client.older;
    }
}
