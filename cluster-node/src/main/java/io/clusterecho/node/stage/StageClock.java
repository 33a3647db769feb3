package io.clusterecho.node.stage;

import java.util.concurrent.TimeUnit;

import io.aeron.cluster.service.ClusterClock;

import org.agrona.concurrent.SystemEpochNanoClock;

/**
 * A cluster clock in nanoseconds: the host's monotonic clock, set to the time of day once, when it is made. So the time at which
 * the leader added a message to the log can be expressed on the clock that clients of the same host use. It does not follow later
 * changes of the time of day, because those would also shift heartbeats and sessions. Thread-safe.
 */
public final class StageClock implements ClusterClock
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
