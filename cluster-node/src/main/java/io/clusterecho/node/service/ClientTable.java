package io.clusterecho.node.service;

import java.util.Arrays;
import java.util.function.Consumer;

import io.clusterecho.schema.RunningChecksum;

import org.agrona.collections.Long2ObjectHashMap;

/**
 * The replicated state of the echo service: for each client the last sequence applied and a running checksum, and the same
 * over all clients. A function of the log alone: every member has the same table at the same position.
 * <p>
 * It holds a bounded number of clients. A new client beyond that evicts the one whose last request stands earliest in the
 * log: positions, unlike times, are never equal and never go back when another leader with another clock takes over. An
 * evicted client that returns is a new one: its ordered requests are answered with a gap that expects sequence 0, so that
 * it learns of it; its other requests are applied again. The bound must therefore be the same on all members and well
 * above the number of clients in use.
 * <p>
 * One thread. Does not allocate once its clients are known.
 */
final class ClientTable
{
    /**
     * The request was applied; it is the one after the last.
     */
    static final int APPLIED = 1;

    /**
     * The request was applied, but sequences between the last one and this one never came.
     */
    static final int APPLIED_AFTER_GAP = 2;

    /**
     * The request had been applied before, or was overtaken; nothing changed but the client's last position and time.
     */
    static final int REPEATED = 3;

    /**
     * The ordered request came too early; nothing changed.
     */
    static final int TOO_EARLY = 4;

    /**
     * Last sequence of a client of which nothing was applied.
     */
    static final long NO_SEQUENCE = -1;

    private final int maxClients;
    private final Long2ObjectHashMap<ClientState> byClientId = new Long2ObjectHashMap<>();
    private ClientState oldest;
    private ClientState newest;
    private long appliedCount;
    private long checksum;
    private long evictedCount;

    /**
     * An empty table.
     *
     * @param maxClients that are remembered, at least 1.
     */
    ClientTable(final int maxClients)
    {
        if (maxClients < 1)
        {
            throw new IllegalArgumentException("maxClients=" + maxClients + ", at least 1 is needed");
        }

        this.maxClients = maxClients;
    }

    /**
     * Apply a request by the rules of its kind.
     *
     * @param clientId    of the request.
     * @param sequence    of the request, from 0.
     * @param check       of the request, as an unsigned 32-bit value in an int.
     * @param isOrdered   true to apply only the sequence that is next, false to allow gaps.
     * @param logPosition in bytes of the request; greater than that of any request before it.
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

    /**
     * Sequence that an ordered request of a client must have to be applied.
     *
     * @param clientId of the client, known or not.
     * @return the sequence, 0 for a client that is not known.
     */
    long expectedSequence(final long clientId)
    {
        final ClientState client = byClientId.get(clientId);
        return null == client ? 0 : client.lastSequence + 1;
    }

    /**
     * State of one client.
     *
     * @param clientId of the client.
     * @return the state, which the table goes on to change, or null for a client that is not known.
     */
    ClientState client(final long clientId)
    {
        return byClientId.get(clientId);
    }

    int clientCount()
    {
        return byClientId.size();
    }

    int maxClients()
    {
        return maxClients;
    }

    /**
     * Requests applied for all clients, those that were evicted included.
     */
    long appliedCount()
    {
        return appliedCount;
    }

    /**
     * Checksum over all requests applied: {@link RunningChecksum#fold} of each one's client id, of the client's checksum after
     * it and of its position, in the order of the log. The position makes a difference last: a request that is missed, and
     * applied when its client sends it again, would otherwise leave the same checksum as if nothing had happened.
     */
    long checksum()
    {
        return checksum;
    }

    /**
     * Clients evicted since this member started.
     */
    long evictedCount()
    {
        return evictedCount;
    }

    /**
     * Visit all clients in ascending client id. Allocates: for snapshots, not for the hot path.
     *
     * @param consumer of each client's state.
     */
    void forEachAscending(final Consumer<ClientState> consumer)
    {
        final ClientState[] states = byClientId.values().toArray(new ClientState[0]);
        Arrays.sort(states, (a, b) -> Long.compare(a.clientId, b.clientId));
        for (final ClientState state : states)
        {
            consumer.accept(state);
        }
    }

    /**
     * Become what a snapshot says.
     *
     * @param snapshotAppliedCount over all clients.
     * @param snapshotChecksum     over all clients.
     * @param states               of the clients, no client twice; they belong to the table from now on.
     */
    void restore(final long snapshotAppliedCount, final long snapshotChecksum, final ClientState[] states)
    {
        byClientId.clear();
        oldest = null;
        newest = null;
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
            client = oldest;
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
        if (client != newest)
        {
            unlink(client);
            append(client);
        }
    }

    private void append(final ClientState client)
    {
        client.older = newest;
        client.newer = null;
        if (null == newest)
        {
            oldest = client;
        }
        else
        {
            newest.newer = client;
        }
        newest = client;
    }

    private void unlink(final ClientState client)
    {
        if (null == client.older)
        {
            oldest = client.newer;
        }
        else
        {
            client.older.newer = client.newer;
        }

        if (null == client.newer)
        {
            newest = client.older;
        }
        else
        {
            client.newer.older = client.older;
        }
    }
}
