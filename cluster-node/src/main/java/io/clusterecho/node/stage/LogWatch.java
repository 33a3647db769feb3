package io.clusterecho.node.stage;

import java.util.function.Supplier;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.status.CountersReader;

/**
 * Looks at the positions of the log after each turn of whoever moves them: the archive's, and the commit position. Times are
 * exact to such a turn. The service tells of which log; nothing is looked at before it does.
 * <p>
 * {@link #sample()} belongs to the thread of the consensus module, {@link #times(int)} to that of the service.
 */
public final class LogWatch
{
    private static final long NONE = Long.MIN_VALUE;

    private final int clusterId;
    private final NanoClock clock;
    private Supplier<CountersReader> counters;
    private volatile long asked = NONE;
    private volatile LogTimes current;

    /**
     * A watch that does not look at anything yet.
     *
     * @param clusterId of the cluster.
     */
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
     * Where the positions stand; before the consensus module is launched.
     *
     * @param source of counters, asked before each look: null once they cannot be read any more.
     */
    public void counters(final Supplier<CountersReader> source)
    {
        counters = source;
    }

    /**
     * Look, and take down what has changed. Does not allocate but for the first time in a leadership term.
     */
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
        if (null == times || times.logSessionId() != (int)logSessionId)
        {
            times = new LogTimes((int)logSessionId, clusterId, readable);
            current = times;
        }
        times.sample(readable, clock);
    }

    /**
     * An idle strategy that looks before it idles: for a consensus module with a thread of its own.
     *
     * @param idleStrategy to be called after it.
     * @return a strategy for the same thread.
     */
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

    /**
     * The times of a log, which are being taken from now on if they were not before.
     *
     * @param logSessionId of the stream by which the leader publishes it.
     * @return what is known, or null for nothing yet.
     */
    LogTimes times(final int logSessionId)
    {
        final LogTimes times = current;
        if (null != times && times.logSessionId() == logSessionId)
        {
            return times;
        }

        asked = logSessionId;
        return null;
    }
}
