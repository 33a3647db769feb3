package io.clusterecho.node.service;

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
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.codecs.EchoRequestDecoder;
import io.clusterecho.schema.codecs.EchoResponseEncoder;
import io.clusterecho.schema.codecs.MessageHeaderEncoder;
import io.clusterecho.schema.codecs.OrderedEchoRequestDecoder;
import io.clusterecho.schema.codecs.RepeatedEchoResponseEncoder;
import io.clusterecho.schema.codecs.SequenceGapEncoder;

/**
 * Applies the requests of the log to a table of clients and answers them, as {@code echo-schema.xml} tells.
 * <p>
 * The state is a function of the log and of two bounds that must be equal on all members: how many clients are remembered and
 * how long a message may be. What is no request is counted and ignored; a message never makes the service throw, since
 * Aeron would then skip it on this member alone.
 * <p>
 * All methods are called by the thread of the service container. Steady state does not allocate, block or log.
 */
public final class EchoService implements ClusteredService
{
    private static final int SNAPSHOT_FRAGMENT_LIMIT = 64;
    private static final int HEAP_PART_FOR_BACKLOGS = 8;
    private static final long STATE_CHANGES = -1;

    private final long egressBacklogLengthBytes;
    private final long totalBacklogLengthBytes;
    private final int maxMessageLengthBytes;
    private final ClientTable table;
    private final BiFunction<Cluster, ServiceCounter, AtomicCounter> counterFactory;
    private final PayloadCheck payloadCheck = new PayloadCheck();
    private final UnsafeBuffer gapBuffer =
        new UnsafeBuffer(new byte[MessageHeaderEncoder.ENCODED_LENGTH + SequenceGapEncoder.BLOCK_LENGTH]);
    private final MessageHeaderEncoder gapHeader = new MessageHeaderEncoder();
    private final SequenceGapEncoder gap = new SequenceGapEncoder();
    private Cluster cluster;
    private ServiceCounters counters;
    private FlushTimer timer;
    private Egress egress;

    /**
     * A service for one container.
     *
     * @param maxClients               that are remembered, at least 1; equal on all members.
     * @param egressBacklogLengthBytes of replies that may wait for one slow session, 0 or more.
     * @param maxMessageLengthBytes    of a request, at least {@link EchoMessage#MIN_LENGTH}; equal on all members.
     * @throws IllegalArgumentException for a value out of its range.
     */
    public EchoService(final int maxClients, final long egressBacklogLengthBytes, final int maxMessageLengthBytes)
    {
        this(
            maxClients,
            egressBacklogLengthBytes,
            Runtime.getRuntime().maxMemory() / HEAP_PART_FOR_BACKLOGS,
            maxMessageLengthBytes,
            (cluster, counter) -> cluster.aeron().addCounter(counter.typeId(), counter.label()));
    }

    EchoService(
        final int maxClients,
        final long egressBacklogLengthBytes,
        final long totalBacklogLengthBytes,
        final int maxMessageLengthBytes,
        final BiFunction<Cluster, ServiceCounter, AtomicCounter> counterFactory)
    {
        if (egressBacklogLengthBytes < 0)
        {
            throw new IllegalArgumentException(
                "egressBacklogLengthBytes=" + egressBacklogLengthBytes + ", 0 or more is needed");
        }

        if (maxMessageLengthBytes < EchoMessage.MIN_LENGTH)
        {
            throw new IllegalArgumentException(
                "maxMessageLengthBytes=" + maxMessageLengthBytes + ", at least " + EchoMessage.MIN_LENGTH + " is needed");
        }

        this.egressBacklogLengthBytes = egressBacklogLengthBytes;
        this.totalBacklogLengthBytes = totalBacklogLengthBytes;
        this.maxMessageLengthBytes = maxMessageLengthBytes;
        this.counterFactory = counterFactory;
        table = new ClientTable(maxClients);
    }

    /**
     * Adds the counters and loads the snapshot.
     *
     * @throws io.aeron.cluster.client.ClusterException for a snapshot that is malformed; the member must not start.
     */
    @Override
    public void onStart(final Cluster newCluster, final Image snapshotImage)
    {
        start(newCluster);
        if (null != snapshotImage)
        {
            loadSnapshot(snapshotImage);
        }
        publishState();
    }

    @Override
    public void onSessionOpen(final ClientSession session, final long timestamp)
    {
        egress.flush(timestamp);
        publishState();
    }

    @Override
    public void onSessionClose(final ClientSession session, final long timestamp, final CloseReason closeReason)
    {
        egress.onSessionClose(session.id());
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
        else
        {
            final int verdict = EchoMessage.validate(buffer, offset, length, payloadCheck);
            if (EchoMessage.VALID == verdict)
            {
                onEchoMessage(session, timestamp, buffer, offset, length);
            }
            else
            {
                refuse(refusal(verdict));
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
        takeSnapshot(snapshotPublication::offer);
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

    void start(final Cluster newCluster)
    {
        cluster = newCluster;
        counters = new ServiceCounters((counter) -> counterFactory.apply(newCluster, counter));
        timer = new FlushTimer(newCluster, counters);
        egress = new Egress(newCluster, counters, egressBacklogLengthBytes, totalBacklogLengthBytes);
    }

    void takeSnapshot(final SnapshotWriter.Sink sink)
    {
        timer.beforeSnapshot();
        new SnapshotWriter(sink, cluster.idleStrategy())
            .write(cluster.logPosition(), table, timer.deadline(), timer.lastMessageTime());
    }

    void restore(final SnapshotReader reader)
    {
        reader.restore(table, timer);
        publishState();
    }

    ClientTable table()
    {
        return table;
    }

    FlushTimer timer()
    {
        return timer;
    }

    private void loadSnapshot(final Image image)
    {
        final SnapshotReader reader = new SnapshotReader(table.maxClients());
        while (!reader.check())
        {
            // In this order: what was published before the end of the stream must still be read after it is seen.
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

    private void onEchoMessage(
        final ClientSession session, final long timestamp, final DirectBuffer buffer, final int offset, final int length)
    {
        final int templateId = EchoMessage.templateId(buffer, offset);
        final boolean isOrdered = OrderedEchoRequestDecoder.TEMPLATE_ID == templateId;
        if (!isOrdered && EchoRequestDecoder.TEMPLATE_ID != templateId)
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
        final int outcome = table.apply(clientId, sequence, check, isOrdered, cluster.logPosition(), timestamp);
        // Before the reply: who has it must find the state that it speaks of.
        publishState();
        switch (outcome)
        {
            case ClientTable.APPLIED:
                egress.reply(session, buffer, offset, length, EchoResponseEncoder.TEMPLATE_ID);
                break;

            case ClientTable.APPLIED_AFTER_GAP:
                counters.increment(ServiceCounter.APPLIED_AFTER_GAP);
                egress.reply(session, buffer, offset, length, EchoResponseEncoder.TEMPLATE_ID);
                break;

            case ClientTable.REPEATED:
                counters.increment(ServiceCounter.REPEATED);
                egress.reply(session, buffer, offset, length, RepeatedEchoResponseEncoder.TEMPLATE_ID);
                break;

            default:
                counters.increment(ServiceCounter.TOO_EARLY);
                gap.wrapAndApplyHeader(gapBuffer, 0, gapHeader)
                    .clientId(clientId)
                    .expectedSequence(table.expectedSequence(clientId))
                    .receivedSequence(sequence);
                egress.send(session, gapBuffer, gapBuffer.capacity());
                break;
        }
    }

    private void refuse(final ServiceCounter reason)
    {
        counters.increment(reason);
        publishState();
    }

    /**
     * After each entry, also one that changes nothing: an entry that should have changed something shows by that.
     */
    private void publishState()
    {
        counters.set(ServiceCounter.STATE_POSITION, STATE_CHANGES);
        counters.set(ServiceCounter.STATE_CHECKSUM, table.checksum());
        counters.set(ServiceCounter.APPLIED, table.appliedCount());
        counters.set(ServiceCounter.CLIENTS, table.clientCount());
        counters.set(ServiceCounter.CLIENTS_EVICTED, table.evictedCount());
        counters.set(ServiceCounter.STATE_POSITION, cluster.logPosition());
    }

    private static ServiceCounter refusal(final int verdict)
    {
        return switch (verdict)
        {
            case EchoMessage.SHORT -> ServiceCounter.REFUSED_SHORT;
            case EchoMessage.WRONG_SCHEMA -> ServiceCounter.REFUSED_WRONG_SCHEMA;
            case EchoMessage.UNKNOWN_TEMPLATE -> ServiceCounter.REFUSED_UNKNOWN_TEMPLATE;
            default -> ServiceCounter.REFUSED_CORRUPT;
        };
    }
}
