package io.clusterecho.node.stage;

import java.util.concurrent.TimeUnit;

import io.aeron.cluster.service.ClusterClock;

import org.agrona.concurrent.SystemEpochNanoClock;

/**
 * A clock of the cluster in nanoseconds that is the monotonic clock of the host, put at the time of day once, when it is made. So
 * the time at which the leader put a message into the log can be told on the clock that clients of the same host measure by. It
 * is not moved with the time of day later, as that would move heartbeats and sessions too. Any thread.
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

    /**
     * A time of this clock on the one below it.
     *
     * @param time of this clock.
     * @return in ns, as {@link System#nanoTime()}.
     */
    public long nanoTime(final long time)
    {
        return time - offsetNs;
    }
}
