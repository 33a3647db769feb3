package io.clusterecho.node.service;

import java.util.ArrayList;
import java.util.Map;
import java.util.function.BiFunction;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;

import io.clusterecho.media.counters.ServiceCounter;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.codecs.EchoResponseEncoder;
import io.clusterecho.schema.codecs.MessageHeaderEncoder;
import io.clusterecho.schema.codecs.RepeatedEchoResponseEncoder;
import io.clusterecho.schema.codecs.SequenceGapEncoder;

/**
 * Applies the requests of the log to a table of clients and answers them, as described in {@code echo-schema.xml}.
 * <p>
 * The state is a function of the log and of two bounds that must be the same on all members: the number of clients and the
 * length of a message. Anything that is not a request is counted and ignored; no message makes the service throw, because
 * Aeron would then skip it on this member alone.
 * <p>
 * A plain service sends each message back unchanged, whatever it contains: for clients with other message formats, and for load
 * clients that are compared with them. It applies nothing, so a message that is sent twice is answered twice, and there is no
 * state to audit. The policy for slow clients, the flush timer, snapshots and counters are the same.
 * <p>
 * All methods are called by the thread of the service container. Steady state does not allocate, block or log.
 */
public final class EchoService implements ClusteredService
{
    /** The table of a plain service stays empty: a snapshot with clients is rejected. */
    private static final int NO_CLIENTS = 1;
    private static final long STATE_CHANGES = -1;
    private static final int SNAPSHOT_FRAGMENT_LIMIT = 64;
    /** By the verdict on a message that is not valid. */
    private static final Map<Integer, ServiceCounter> REFUSALS = Map.of(
        EchoMessage.SHORT, ServiceCounter.REFUSED_SHORT, EchoMessage.WRONG_SCHEMA, ServiceCounter.REFUSED_WRONG_SCHEMA,
        EchoMessage.UNKNOWN_TEMPLATE, ServiceCounter.REFUSED_UNKNOWN_TEMPLATE, EchoMessage.CORRUPT,
        ServiceCounter.REFUSED_CORRUPT);

    private final boolean isPlain;
    private final long egressBacklogLengthBytes;
    private final int maxMessageLengthBytes;
    private final PayloadCheck payloadCheck = new PayloadCheck();
    private final UnsafeBuffer gapBuffer =
        new UnsafeBuffer(new byte[MessageHeaderEncoder.ENCODED_LENGTH + SequenceGapEncoder.BLOCK_LENGTH]);
    private final MessageHeaderEncoder gapHeader = new MessageHeaderEncoder();
    private final SequenceGapEncoder gap = new SequenceGapEncoder();
    final ClientTable table;
    /** The open sessions that receive a copy of each reply, in the order in which they were opened. */
    final ArrayList<ClientSession> receivers = new ArrayList<>();
    StateTable stateTable;
    ServiceTime serviceTime;
    /** Of all sessions together: an eighth of the heap. */
    long totalBacklogLengthBytes = Runtime.getRuntime().maxMemory() / 8;
    BiFunction<Cluster, ServiceCounter, AtomicCounter> counterFactory =
        (anyCluster, counter) -> anyCluster.aeron().addCounter(counter.typeId(), counter.label());
    FlushTimer timer;
    private Cluster cluster;
    private ServiceCounters counters;
    private Egress egress;

    /**
     * A service with at most so many clients, a plain one without any, a backlog in bytes for a slow session, and bytes of a
     * message: longer ones are counted and ignored; works for a time on each message that it applies, and keeps a state beside
     * the clients. All but the backlog are the same on all members.
     */
    public EchoService(
        final boolean isPlain, final int maxClients, final long egressBacklogLengthBytes, final int maxMessageLengthBytes,
        final ServiceTime serviceTime, final StateTable stateTable)
    {
        this.isPlain = isPlain;
        table = new ClientTable(isPlain ? NO_CLIENTS : maxClients);
        this.egressBacklogLengthBytes = egressBacklogLengthBytes;
        this.maxMessageLengthBytes = maxMessageLengthBytes;
        this.serviceTime = serviceTime;
        this.stateTable = stateTable;
    }

    /** Adds the counters and loads the snapshot; throws for one that is malformed, with which the member must not start. */
    @Override
    public void onStart(final Cluster newCluster, final Image snapshotImage)
    {
        cluster = newCluster;
        counters = new ServiceCounters((counter) -> counterFactory.apply(newCluster, counter));
        timer = new FlushTimer(newCluster, counters);
        egress = new Egress(newCluster, counters, egressBacklogLengthBytes, totalBacklogLengthBytes);
        // Those of a snapshot: the container announces only later ones.
        newCluster.forEachClientSession((session) ->
        {
            addReceiver(session);
            counters.add(ServiceCounter.SESSIONS, 1);
        });
        if (null != snapshotImage)
        {
            final long beginNs = System.nanoTime();
            loadSnapshot(snapshotImage);
            counters.set(ServiceCounter.LOAD_TIME, System.nanoTime() - beginNs);
        }
        publishState();
    }

    @Override
    public void onSessionOpen(final ClientSession session, final long timestamp)
    {
        addReceiver(session);
        egress.flush(timestamp);
        counters.increment(ServiceCounter.SESSIONS_OPENED);
        counters.add(ServiceCounter.SESSIONS, 1);
        publishState();
    }

    @Override
    public void onSessionClose(final ClientSession session, final long timestamp, final CloseReason closeReason)
    {
        receivers.removeIf((receiver) -> receiver.id() == session.id());
        egress.onSessionClose(session.id());
        counters.add(ServiceCounter.SESSIONS, -1);
        if (CloseReason.TIMEOUT == closeReason)
        {
            counters.increment(ServiceCounter.SESSIONS_TIMED_OUT);
        }
        publishState();
    }

    @Override
    public void onSessionMessage(
        final ClientSession session,
        final long timestamp,
        final DirectBuffer buffer,
        final int offset,
        final int length,
        final Header header)
    {
        counters.increment(ServiceCounter.RECEIVED);
        egress.flush(timestamp);

        if (length > maxMessageLengthBytes)
        {
            refuse(ServiceCounter.REFUSED_OVERSIZED);
        }
        else if (isPlain)
        {
            serviceTime.spin(cluster.logPosition());
            publishState();
            egress.send(session, buffer, offset, length);
        }
        else
        {
            final int verdict = EchoMessage.validate(buffer, offset, length, payloadCheck);
            if (EchoMessage.VALID == verdict)
            {
                onEchoMessage(session, timestamp, buffer, offset, length);
            }
            else
            {
                refuse(REFUSALS.get(verdict));
            }
        }

        timer.onMessage(timestamp);
    }

    @Override
    public void onTimerEvent(final long correlationId, final long timestamp)
    {
        egress.flush(timestamp);
        if (timer.onTimerEvent(correlationId, timestamp))
        {
            egress.onFlushTimerLapsed();
        }
        publishState();
    }

    @Override
    public void onTakeSnapshot(final ExclusivePublication snapshotPublication)
    {
        takeSnapshot(snapshotPublication::offer, snapshotPublication.maxPayloadLength());
    }

    @Override
    public void onRoleChange(final Cluster.Role newRole)
    {
        egress.onRoleChange();
    }

    @Override
    public void onTerminate(final Cluster terminatingCluster)
    {
        counters.close();
    }

    private void addReceiver(final ClientSession session)
    {
        if (EchoMessage.FAN_OUT_STREAM_ID == session.responseStreamId())
        {
            receivers.add(session);
        }
    }

    void takeSnapshot(final SnapshotWriter.Sink sink, final int maxLength)
    {
        final long beginNs = System.nanoTime();
        new SnapshotWriter(sink, maxLength, cluster.idleStrategy())
            .write(cluster.logPosition(), table, stateTable, timer);
        counters.add(ServiceCounter.SNAPSHOT_TIME, System.nanoTime() - beginNs);
    }

    void restore(final SnapshotReader reader)
    {
        reader.restore(table, timer);
        publishState();
    }

    /** Called after each entry, also one that changes nothing: an entry that should have changed something becomes visible. */
    private void publishState()
    {
        if (!isPlain)
        {
            counters.set(ServiceCounter.STATE_POSITION, STATE_CHANGES);
            counters.set(ServiceCounter.STATE_CHECKSUM, table.checksum);
            counters.set(ServiceCounter.APPLIED, table.appliedCount);
            counters.set(ServiceCounter.CLIENTS, table.clientCount());
            counters.set(ServiceCounter.CLIENTS_EVICTED, table.evictedCount);
        }
        counters.set(ServiceCounter.STATE_POSITION, cluster.logPosition());
    }

    private void onEchoMessage(
        final ClientSession session, final long timestamp, final DirectBuffer buffer, final int offset, final int length)
    {
        final int templateId = EchoMessage.templateId(buffer, offset);
        if (!EchoMessage.isRequest(templateId))
        {
            refuse(ServiceCounter.REFUSED_RESPONSE);
            return;
        }

        final long sequence = EchoMessage.sequence(buffer, offset);
        if (sequence < 0)
        {
            refuse(ServiceCounter.REFUSED_NEGATIVE_SEQUENCE);
            return;
        }

        final long clientId = EchoMessage.clientId(buffer, offset);
        final int check = EchoMessage.check(buffer, offset);
        final int outcome = table.apply(
            clientId, sequence, check, EchoMessage.isOrdered(templateId), cluster.logPosition(), timestamp);
        if (ClientTable.APPLIED == outcome || ClientTable.APPLIED_AFTER_GAP == outcome)
        {
            stateTable.onApplied(table.checksum);
            serviceTime.spin(cluster.logPosition());
        }
        // Before the reply: the client that receives it must find the state it refers to.
        publishState();
        switch (outcome)
        {
            case ClientTable.REPEATED ->
            {
                counters.increment(ServiceCounter.REPEATED);
                egress.reply(session, buffer, offset, length, RepeatedEchoResponseEncoder.TEMPLATE_ID);
            }
            case ClientTable.TOO_EARLY ->
            {
                counters.increment(ServiceCounter.TOO_EARLY);
                gap.wrapAndApplyHeader(gapBuffer, 0, gapHeader)
                    .clientId(clientId)
                    .expectedSequence(table.expectedSequence(clientId))
                    .receivedSequence(sequence);
                egress.send(session, gapBuffer, 0, gapBuffer.capacity());
            }
            default ->
            {
                if (ClientTable.APPLIED_AFTER_GAP == outcome)
                {
                    counters.increment(ServiceCounter.APPLIED_AFTER_GAP);
                }
                egress.reply(session, buffer, offset, length, EchoResponseEncoder.TEMPLATE_ID);
                fanOut(session, buffer, offset, length);
            }
        }
    }

    /**
     * A copy of the reply for each receiver, once: a request that is repeated sends none, since its copies were sent when it was
     * applied. A receiver that is slow has a backlog of its own, as any session, and does not delay the others.
     */
    private void fanOut(final ClientSession sender, final DirectBuffer buffer, final int offset, final int length)
    {
        for (int i = 0, count = receivers.size(); i < count; i++)
        {
            final ClientSession receiver = receivers.get(i);
            if (receiver != sender)
            {
                egress.reply(receiver, buffer, offset, length, EchoResponseEncoder.TEMPLATE_ID);
            }
        }
    }

    private void refuse(final ServiceCounter reason)
    {
        counters.increment(reason);
        publishState();
    }

    private void loadSnapshot(final Image image)
    {
        final SnapshotReader reader = new SnapshotReader(table.maxClients, stateTable);
        while (!reader.check())
        {
            // In this order: data published before the end of the stream must be read even if the end is seen now.
            final boolean isAtEnd = image.isEndOfStream() || image.isClosed();
            final int fragments = image.poll(reader, SNAPSHOT_FRAGMENT_LIMIT);
            if (0 == fragments && isAtEnd)
            {
                reader.onEndOfSnapshot();
            }
            cluster.idleStrategy().idle(fragments);
        }
        restore(reader);
    }
}
