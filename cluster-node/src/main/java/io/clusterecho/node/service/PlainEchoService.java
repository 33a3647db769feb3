package io.clusterecho.node.service;

import java.util.function.BiFunction;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.status.AtomicCounter;

import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.logbuffer.Header;

import io.clusterecho.media.counters.ServiceCounter;

/**
 * Sends each message back to its session unchanged, whatever it contains: for clients with other message formats, and for load
 * clients that are compared with them. It applies nothing and keeps no state about clients, so a message that is sent twice is
 * answered twice, and there is no state to audit.
 * <p>
 * All methods are called by the thread of the service container. Steady state does not allocate, block or log.
 */
public final class PlainEchoService extends AnsweringService
{
    /** The table stays empty: a snapshot with clients belongs to another service and is rejected. */
    private static final int NO_CLIENTS = 1;

    /**
     * The longest backlog of replies for one slow session, and the longest message, in bytes; longer ones are counted and
     * ignored, on all members alike.
     */
    public PlainEchoService(final long egressBacklogLengthBytes, final int maxMessageLengthBytes)
    {
        this(egressBacklogLengthBytes, totalBacklogLengthBytes(), maxMessageLengthBytes, AnsweringService::newCounter);
    }

    PlainEchoService(
        final long egressBacklogLengthBytes,
        final long totalBacklogLengthBytes,
        final int maxMessageLengthBytes,
        final BiFunction<Cluster, ServiceCounter, AtomicCounter> counterFactory)
    {
        super(
            new ClientTable(NO_CLIENTS), egressBacklogLengthBytes, totalBacklogLengthBytes, maxMessageLengthBytes,
            counterFactory);
    }

    @Override
    void answer(
        final ClientSession session,
        final long timestamp,
        final DirectBuffer buffer,
        final int offset,
        final int length,
        final Header header)
    {
        work();
        publishState();
        egress.send(session, buffer, offset, length);
    }

    @Override
    void publishState()
    {
        counters.set(ServiceCounter.STATE_POSITION, cluster.logPosition());
    }
}
