package io.clusterecho.client.load;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;

/**
 * Keeps an agent from beginning a turn too soon after one that found work, so that each turn carries several messages. Until then
 * the agent is idle as another strategy says. For one thread.
 */
public final class PacedIdleStrategy implements IdleStrategy
{
    private final IdleStrategy idleStrategy;
    private final long turnNs;
    private final NanoClock clock;
    private long beginNs;

    /**
     * The first turn begins now.
     *
     * @param idleStrategy of the time in between.
     * @param turnNs       shortest time in ns from the beginning of a turn that found work to that of the next.
     * @param clock        in ns.
     */
    public PacedIdleStrategy(final IdleStrategy idleStrategy, final long turnNs, final NanoClock clock)
    {
        this.idleStrategy = idleStrategy;
        this.turnNs = turnNs;
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
        while (nowNs - beginNs < turnNs)
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

    @Override
    public String alias()
    {
        return "paced-" + idleStrategy.alias();
    }
}
