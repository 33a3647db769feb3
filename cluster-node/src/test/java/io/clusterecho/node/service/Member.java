package io.clusterecho.node.service;

import java.util.ArrayList;
import java.util.List;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersReader;

import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.logbuffer.Header;
import io.aeron.protocol.DataHeaderFlyweight;
import io.clusterecho.media.counters.ServiceCounter;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.codecs.EchoRequestEncoder;
import io.clusterecho.schema.codecs.OrderedEchoRequestEncoder;

/** A service on a {@link FakeCluster}, and its log. */
final class Member
{
    static final int LOG_SESSION_ID = 4711;
    static final Header HEADER = header();
    static final int MAX_CLIENTS = 3;
    static final int BACKLOG_BYTES = 1000;
    static final int MAX_MESSAGE_BYTES = 512;

    final FakeCluster cluster = new FakeCluster();
    final EchoService service;
    final UnsafeBuffer message = new UnsafeBuffer(new byte[4096]);
    long timestamp = 1_000_000;
    private final PayloadCheck payloadCheck = new PayloadCheck();
    private final UnsafeBuffer counterValues =
        new UnsafeBuffer(new byte[ServiceCounter.values().length * CountersReader.COUNTER_LENGTH]);

    Member(final Cluster.Role role)
    {
        this(role, MAX_CLIENTS, Long.MAX_VALUE);
    }

    Member(final Cluster.Role role, final int maxClients, final long totalBacklogBytes)
    {
        this(role, false, maxClients, totalBacklogBytes);
    }

    private Member(final Cluster.Role role, final boolean isPlain, final int maxClients, final long totalBacklogBytes)
    {
        service = new EchoService(
            isPlain, maxClients, BACKLOG_BYTES, MAX_MESSAGE_BYTES, ServiceTime.of(ServiceTime.NONE), new StateTable(0));
        service.totalBacklogLengthBytes = totalBacklogBytes;
        service.counterFactory = (anyCluster, counter) -> new AtomicCounter(counterValues, counter.ordinal());
        cluster.role = role;
        service.onStart(cluster, null);
    }

    /** A member with the plain service. */
    static Member plain(final Cluster.Role role)
    {
        return new Member(role, true, 0, Long.MAX_VALUE);
    }

    static Member leader()
    {
        return new Member(Cluster.Role.LEADER);
    }

    static Member follower()
    {
        return new Member(Cluster.Role.FOLLOWER);
    }

    private static Header header()
    {
        final DataHeaderFlyweight frame = new DataHeaderFlyweight(new UnsafeBuffer(new byte[DataHeaderFlyweight.HEADER_LENGTH]));
        frame.sessionId(LOG_SESSION_ID);
        final Header header = new Header(0, 16);
        header.buffer(frame);
        return header;
    }

    FakeSession session(final long id)
    {
        return new FakeSession(id, cluster);
    }

    /** An EchoRequest of 64 bytes. */
    void echo(final ClientSession session, final long clientId, final long sequence)
    {
        send(session, EchoRequestEncoder.TEMPLATE_ID, clientId, sequence, 64);
    }

    /** An OrderedEchoRequest of 64 bytes. */
    void ordered(final ClientSession session, final long clientId, final long sequence)
    {
        send(session, OrderedEchoRequestEncoder.TEMPLATE_ID, clientId, sequence, 64);
    }

    void send(
        final ClientSession session, final int templateId, final long clientId, final long sequence, final int length)
    {
        encode(templateId, clientId, sequence, length);
        deliver(session, 8, length);
    }

    /** Write a message at offset 8. */
    void encode(final int templateId, final long clientId, final long sequence, final int length)
    {
        message.setMemory(8, length, (byte)(sequence + 1));
        EchoMessage.encode(message, 8, length, templateId, clientId, sequence, 1000 * sequence, payloadCheck);
    }

    void deliver(final ClientSession session, final int offset, final int length)
    {
        cluster.logPosition += 128;
        service.onSessionMessage(session, timestamp, message, offset, length, HEADER);
    }

    void fireTimer()
    {
        cluster.logPosition += 64;
        timestamp = Math.max(timestamp, service.timer.deadline);
        service.onTimerEvent(FlushTimer.CORRELATION_ID, timestamp);
    }

    void closeSession(final FakeSession session)
    {
        cluster.sessions.remove(session.id());
        service.onSessionClose(session, timestamp, CloseReason.TIMEOUT);
    }

    void changeRole(final Cluster.Role role)
    {
        cluster.role = role;
        service.onRoleChange(role);
    }

    long count(final ServiceCounter counter)
    {
        return counterValues.getLong(CountersReader.counterOffset(counter.ordinal()));
    }

    /** The messages of a snapshot of the service. */
    List<UnsafeBuffer> snapshot()
    {
        final List<UnsafeBuffer> messages = new ArrayList<>();
        service.takeSnapshot(
            (buffer, offset, length) ->
            {
                final UnsafeBuffer copy = new UnsafeBuffer(new byte[length]);
                copy.putBytes(0, buffer, offset, length);
                messages.add(copy);
                return 1;
            },
            MAX_MESSAGE_BYTES);
        return messages;
    }
}
