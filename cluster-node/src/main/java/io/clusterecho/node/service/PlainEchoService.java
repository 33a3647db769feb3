package io.clusterecho.node.service;

import java.util.ArrayList;
import java.util.function.BiFunction;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.status.AtomicCounter;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;

import io.clusterecho.media.counters.ServiceCounter;
import io.clusterecho.schema.FanOutStream;

/**
 * Sends each message back to its session unchanged, whatever it contains: for clients with other message formats, and for load
 * clients that are compared with them. It applies nothing and keeps no state about clients, so a message that is sent twice is
 * answered twice, and there is no state to audit. {@link EchoService} adds that; the policy for slow clients, the flush timer,
 * snapshots and counters are the same.
 * <p>
 * All methods are called by the thread of the service container. Steady state does not allocate, block or log.
 */
public class PlainEchoService implements ClusteredService
{
    /** The table stays empty: a snapshot with clients belongs to the echo service and is rejected. */
    private static final int NO_CLIENTS = 1;
    private static final int SNAPSHOT_FRAGMENT_LIMIT = 64;
    private static final int HEAP_PART_FOR_BACKLOGS = 8;

    private final long egressBacklogLengthBytes;
    private final long totalBacklogLengthBytes;
    private final int maxMessageLengthBytes;
    private final BiFunction<Cluster, ServiceCounter, AtomicCounter> counterFactory;
    final ClientTable table;
    /** The open sessions that receive a copy of each reply, in the order in which they were opened. */
    final ArrayList<ClientSession> receivers = new ArrayList<>();
    StateTable stateTable = new StateTable(0);
    Cluster cluster;
    ServiceCounters counters;
    FlushTimer timer;
    Egress egress;
    private ServiceTime serviceTime = ServiceTime.of(ServiceTime.NONE);

    /**
     * The longest backlog of replies for one slow session, and the longest message, in bytes; longer ones are counted and
     * ignored, on all members alike.
     */
    public PlainEchoService(final long egressBacklogLengthBytes, final int maxMessageLengthBytes)
    {
        this(
            new ClientTable(NO_CLIENTS), egressBacklogLengthBytes, totalBacklogLengthBytes(), maxMessageLengthBytes,
            PlainEchoService::newCounter);
    }

    /**
     * The longest backlog of replies for one slow session and for all of them, and the longest message, in bytes; the last is
     * the same on all members.
     */
    PlainEchoService(
        final ClientTable table,
        final long egressBacklogLengthBytes,
        final long totalBacklogLengthBytes,
        final int maxMessageLengthBytes,
        final BiFunction<Cluster, ServiceCounter, AtomicCounter> counterFactory)
    {
        if (egressBacklogLengthBytes < 0)
        {
            throw new IllegalArgumentException(
                "egressBacklogLengthBytes=" + egressBacklogLengthBytes + ", must be 0 or more");
        }

        this.table = table;
        this.egressBacklogLengthBytes = egressBacklogLengthBytes;
        this.totalBacklogLengthBytes = totalBacklogLengthBytes;
        this.maxMessageLengthBytes = maxMessageLengthBytes;
        this.counterFactory = counterFactory;
    }

    /** Adds the counters and loads the snapshot; throws for one that is malformed, with which the member must not start. */
    @Override
    public void onStart(final Cluster newCluster, final Image snapshotImage)
    {
        start(newCluster);
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
        else
        {
            answer(session, timestamp, buffer, offset, length, header);
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

    /**
     * Answer a message of allowed length, whose sender is null if it is gone. Must not change it, nor throw: Aeron would then
     * skip the message on this member alone.
     */
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

    /** Publish the state in the counters, after each entry of the log. */
    void publishState()
    {
        counters.set(ServiceCounter.STATE_POSITION, cluster.logPosition());
    }

    void start(final Cluster newCluster)
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
    }

    void takeSnapshot(final SnapshotWriter.Sink sink, final int maxLength)
    {
        final long beginNs = System.nanoTime();
        timer.beforeSnapshot();
        new SnapshotWriter(sink, maxLength, cluster.idleStrategy())
            .write(cluster.logPosition(), table, stateTable, timer.deadline(), timer.lastMessageTime());
        counters.add(ServiceCounter.SNAPSHOT_TIME, System.nanoTime() - beginNs);
    }

    void restore(final SnapshotReader reader)
    {
        reader.restore(table, timer);
        publishState();
    }

    /** Work on each message that is applied. Call before the service is launched; without it there is no work. */
    public final void serviceTime(final ServiceTime time)
    {
        serviceTime = time;
    }

    /** Work on the message that is being applied, for as long as configured. */
    final void work()
    {
        serviceTime.spin(cluster.logPosition());
    }

    final void refuse(final ServiceCounter reason)
    {
        counters.increment(reason);
        publishState();
    }

    static long totalBacklogLengthBytes()
    {
        return Runtime.getRuntime().maxMemory() / HEAP_PART_FOR_BACKLOGS;
    }

    static AtomicCounter newCounter(final Cluster cluster, final ServiceCounter counter)
    {
        return cluster.aeron().addCounter(counter.typeId(), counter.label());
    }

    private void addReceiver(final ClientSession session)
    {
        if (FanOutStream.ID == session.responseStreamId())
        {
            receivers.add(session);
        }
    }

    private void loadSnapshot(final Image image)
    {
        final SnapshotReader reader = new SnapshotReader(table.maxClients(), stateTable);
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
