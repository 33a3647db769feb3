package io.clusterecho.node.stage;

import java.util.function.Supplier;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.status.CountersReader;

import io.aeron.Aeron;
import io.aeron.archive.status.RecordingPos;
import io.aeron.cluster.service.ClusterCounters;
import io.aeron.cluster.service.ClusteredServiceContainer;

/**
 * Samples the positions of the log after each turn of the agents that move them: the recording position and the commit position.
 * Times are exact to one turn. The service selects the log; nothing is sampled before that.
 * <p>
 * {@link #sample()} is for the thread of the consensus module, {@link #times(int)} for that of the service.
 */
public final class LogWatch
{
    /** Times at which the log of one leadership term reached positions. */
    static final class LogTimes
    {
        /** About half a second of turns of a busy member. */
        private static final int CAPACITY = 1 << 15;

        final PositionTimes logged;
        final PositionTimes committed;
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
                if (loggedPosition > logged.position() || committedPosition > committed.position())
                {
                    final long nowNs = clock.nanoTime();
                    logged.add(loggedPosition, nowNs);
                    committed.add(committedPosition, nowNs);
                }
            }
        }
    }

    private static final long NONE = Long.MIN_VALUE;

    private final int clusterId;
    private final NanoClock clock;
    private Supplier<CountersReader> counters;
    private volatile long asked = NONE;
    private volatile LogTimes current;

    /** A watch that samples nothing yet. */
    public LogWatch(final int clusterId)
    {
        this(clusterId, SystemNanoClock.INSTANCE);
    }

    LogWatch(final int clusterId, final NanoClock clock)
    {
        this.clusterId = clusterId;
        this.clock = clock;
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

    /** Times of the log with the leader's session id, recorded from now on if they were not before; null for none yet. */
    LogTimes times(final int logSessionId)
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
