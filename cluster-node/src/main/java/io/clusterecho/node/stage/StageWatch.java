package io.clusterecho.node.stage;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.archive.status.RecordingPos;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusterClock;
import io.aeron.cluster.service.ClusterCounters;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.logbuffer.Header;

import io.clusterecho.host.MonotonicClock;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.codecs.MessageHeaderEncoder;
import io.clusterecho.schema.codecs.StageTimesEncoder;

/**
 * Samples the positions of the log after each turn of the agents that move them, the recording position and the commit position,
 * and records when this member, as the leader, had a message at each stage. Times are exact to one turn. The service selects the
 * log; nothing is sampled before that.
 * <p>
 * {@link #sample()} is for the thread of the consensus module, {@link #marking} for that of one service; neither allocates.
 */
public final class StageWatch
{
    /** Times at which the log of one leadership term reached positions. */
    private static final class LogTimes
    {
        /** About half a second of turns of a busy member. */
        private static final int CAPACITY = 1 << 15;

        private final PositionTimes logged;
        private final PositionTimes committed;
        private final int logSessionId;
        private final int loggedCounterId;
        private final int committedCounterId;
        private final boolean isFound;

        /** For the leader's publication with a session id. */
        private LogTimes(final int logSessionId, final int clusterId, final CountersReader counters)
        {
            this.logSessionId = logSessionId;
            loggedCounterId = RecordingPos.findCounterIdBySession(counters, logSessionId, Aeron.NULL_VALUE);
            committedCounterId = ClusterCounters.find(
                counters, ClusteredServiceContainer.Configuration.COMMIT_POSITION_TYPE_ID, clusterId);
            isFound =
                CountersReader.NULL_COUNTER_ID != loggedCounterId && CountersReader.NULL_COUNTER_ID != committedCounterId;
            logged = new PositionTimes(isFound ? CAPACITY : 1);
            committed = new PositionTimes(isFound ? CAPACITY : 1);
        }

        private void sample(final CountersReader counters, final NanoClock clock)
        {
            if (isFound)
            {
                final long loggedPosition = counters.getCounterValue(loggedCounterId);
                final long committedPosition = counters.getCounterValue(committedCounterId);
                if (loggedPosition > logged.position || committedPosition > committed.position)
                {
                    final long nowNs = clock.nanoTime();
                    logged.add(loggedPosition, nowNs);
                    committed.add(committedPosition, nowNs);
                }
            }
        }
    }

    /**
     * A cluster clock in nanoseconds: the host's monotonic clock, set to the time of day once, when it is made. So the time at
     * which the leader added a message to the log can be expressed on the clock that clients of the same host use. It does not
     * follow later changes of the time of day, because those would also shift heartbeats and sessions. Thread-safe.
     */
    public static final class StageClock implements ClusterClock
    {
        private final long offsetNs = SystemEpochNanoClock.INSTANCE.nanoTime() - System.nanoTime();

        @Override
        public TimeUnit timeUnit()
        {
            return TimeUnit.NANOSECONDS;
        }

        @Override
        public long time()
        {
            return System.nanoTime() + offsetNs;
        }

        /** Convert a time of this clock to the monotonic clock, in ns as {@link System#nanoTime()}. */
        public long nanoTime(final long time)
        {
            return time - offsetNs;
        }
    }

    /**
     * Passes everything to a service. After a request of a session that asks for marks, the leader sends one: a StageTimes
     * message and the CRC32C of the request, by which the client finds the reply before it. The messages of the service and the
     * results of its offers are as without marks. A mark that the egress does not accept is not sent.
     */
    private final class Marking implements ClusteredService
    {
        /** The publication has to rotate its term at most once. */
        private static final int ATTEMPTS = 3;

        private final ClusteredService service;
        private final PayloadCheck payloadCheck = new PayloadCheck();
        private Cluster cluster;

        private Marking(final ClusteredService service)
        {
            this.service = service;
        }

        @Override
        public void onStart(final Cluster newCluster, final Image snapshotImage)
        {
            cluster = newCluster;
            service.onStart(newCluster, snapshotImage);
        }

        @Override
        public void onSessionOpen(final ClientSession session, final long timestamp)
        {
            service.onSessionOpen(session, timestamp);
        }

        @Override
        public void onSessionClose(final ClientSession session, final long timestamp, final CloseReason closeReason)
        {
            service.onSessionClose(session, timestamp, closeReason);
        }

        @Override
        public void onSessionMessage(
            final ClientSession session, final long timestamp, final DirectBuffer message, final int offset, final int length,
            final Header header)
        {
            // Only the leader's replies are sent, and only the leader added the message to the log by its own clock.
            final boolean isMarked = null != session && session.responseStreamId() >= EchoMessage.FIRST_MARKED_STREAM_ID &&
                Cluster.Role.LEADER == cluster.role();
            if (isMarked)
            {
                // Before the service: its work counts as part of the way back.
                stamp(timestamp, cluster.logPosition(), header.sessionId());
            }
            service.onSessionMessage(session, timestamp, message, offset, length, header);
            if (isMarked)
            {
                mark.putInt(TIMES_LENGTH, payloadCheck.compute(message, offset, length), LITTLE_ENDIAN);
                long result = Publication.ADMIN_ACTION;
                for (int i = 0; i < ATTEMPTS && Publication.ADMIN_ACTION == result; i++)
                {
                    result = session.offer(mark, 0, mark.capacity());
                }
            }
        }

        @Override
        public void onTimerEvent(final long correlationId, final long timestamp)
        {
            service.onTimerEvent(correlationId, timestamp);
        }

        @Override
        public void onTakeSnapshot(final ExclusivePublication snapshotPublication)
        {
            service.onTakeSnapshot(snapshotPublication);
        }

        @Override
        public void onRoleChange(final Cluster.Role newRole)
        {
            service.onRoleChange(newRole);
        }

        @Override
        public void onTerminate(final Cluster terminatingCluster)
        {
            service.onTerminate(terminatingCluster);
        }

        @Override
        public void onNewLeadershipTermEvent(
            final long leadershipTermId, final long logPosition, final long timestamp, final long termBaseLogPosition,
            final int leaderId, final int logSessionId, final TimeUnit timeUnit, final int appVersion)
        {
            service.onNewLeadershipTermEvent(
                leadershipTermId, logPosition, timestamp, termBaseLogPosition, leaderId, logSessionId, timeUnit, appVersion);
        }

        @Override
        public int doBackgroundWork(final long nowNs)
        {
            return service.doBackgroundWork(nowNs);
        }
    }

    private static final int TIMES_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + StageTimesEncoder.BLOCK_LENGTH;
    private static final long NONE = Long.MIN_VALUE;
    private static final long UNKNOWN = StageTimesEncoder.loggedNullValue();

    private final int clusterId;
    private final NanoClock clock;
    private final long clockId;
    private final StageClock clusterClock = new StageClock();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final StageTimesEncoder stages = new StageTimesEncoder();
    private final UnsafeBuffer mark = new UnsafeBuffer(new byte[TIMES_LENGTH + Integer.BYTES]);
    private Supplier<CountersReader> counters;
    private volatile long asked = NONE;
    private volatile LogTimes current;

    /** A watch that samples nothing yet. */
    public StageWatch(final int clusterId)
    {
        this(clusterId, SystemNanoClock.INSTANCE, MonotonicClock.id());
    }

    StageWatch(final int clusterId, final NanoClock clock, final long clockId)
    {
        this.clusterId = clusterId;
        this.clock = clock;
        this.clockId = clockId;
    }

    /** The clock by which the leader adds messages to the log. */
    public StageClock clusterClock()
    {
        return clusterClock;
    }

    /**
     * Set the source of the positions before the consensus module is launched; it returns null once they cannot be read any more.
     */
    public void counters(final Supplier<CountersReader> source)
    {
        counters = source;
    }

    /** Take a sample and record changes. Allocates only for the first one of a leadership term. */
    public void sample()
    {
        final long logSessionId = asked;
        if (NONE == logSessionId)
        {
            return;
        }

        final CountersReader readable = counters.get();
        if (null == readable)
        {
            return;
        }

        LogTimes times = current;
        if (null == times || times.logSessionId != (int)logSessionId)
        {
            times = new LogTimes((int)logSessionId, clusterId, readable);
            current = times;
        }
        times.sample(readable, clock);
    }

    /** An idle strategy that samples before it idles, for a consensus module with a separate thread. */
    public IdleStrategy before(final IdleStrategy idleStrategy)
    {
        return new IdleStrategy()
        {
            @Override
            public void idle(final int workCount)
            {
                sample();
                idleStrategy.idle(workCount);
            }

            @Override
            public void idle()
            {
                sample();
                idleStrategy.idle();
            }

            @Override
            public void reset()
            {
                idleStrategy.reset();
            }
        };
    }

    /** The same service, which marks the requests of sessions that ask for it; for one service of a member. */
    public ClusteredService marking(final ClusteredService service)
    {
        return new Marking(service);
    }

    /**
     * Stamp a message that the service receives now, by the end of its entry and the session of the leader's log; returns a mark
     * that lacks the check, valid until the next call.
     */
    DirectBuffer stamp(final long timestamp, final long logPosition, final int logSessionId)
    {
        final long servedNs = clock.nanoTime();
        final LogTimes log = times(logSessionId);
        // Both are read for each message, so that they keep pace. The position is sampled after a turn of the consensus module:
        // with separate threads, the service may read an entry before the sample is taken, or while it is.
        final long committedNs = null == log ? UNKNOWN : Math.min(servedNs, log.committed.timeNs(logPosition));
        final long loggedNs = null == log ? UNKNOWN : Math.min(committedNs, log.logged.timeNs(logPosition));
        stages.wrapAndApplyHeader(mark, 0, header)
            .clock(clockId)
            .taken(clusterClock.nanoTime(timestamp))
            .logged(loggedNs)
            .committed(committedNs)
            .served(servedNs);
        return mark;
    }

    /** Times of the log with the leader's session id, recorded from now on if they were not before; null for none yet. */
    private LogTimes times(final int logSessionId)
    {
        final LogTimes times = current;
        if (null != times && times.logSessionId == logSessionId)
        {
            return times;
        }

        asked = logSessionId;
        return null;
    }
}
