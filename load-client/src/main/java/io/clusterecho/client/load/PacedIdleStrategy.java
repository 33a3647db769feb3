package io.clusterecho.client.load;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;

/**
 * Paces the duty cycle of an agent: after one that found work, the next begins no sooner than an interval after the beginning of
 * that one, so that it finds several messages. Until then the agent is idle as another strategy says. For one thread.
 */
public final class PacedIdleStrategy implements IdleStrategy
{
    private final IdleStrategy idleStrategy;
    private final long intervalNs;
    private final NanoClock clock;
    private long beginNs;

    /** The first duty cycle begins now. */
    public PacedIdleStrategy(final IdleStrategy idleStrategy, final long intervalNs, final NanoClock clock)
    {
        this.idleStrategy = idleStrategy;
        this.intervalNs = intervalNs;
        this.clock = clock;
        beginNs = clock.nanoTime();
    }

    @Override
    public void idle(final int workCount)
    {
        if (workCount <= 0)
        {
            idle();
            return;
        }

        idleStrategy.reset();
        long nowNs = clock.nanoTime();
        while (nowNs - beginNs < intervalNs)
        {
            idleStrategy.idle();
            nowNs = clock.nanoTime();
        }
        beginNs = nowNs;
    }

    @Override
    public void idle()
    {
        idleStrategy.idle();
        beginNs = clock.nanoTime();
    }

    @Override
    public void reset()
    {
        idleStrategy.reset();
    }
}
