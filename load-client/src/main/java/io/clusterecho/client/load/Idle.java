package io.clusterecho.client.load;

import java.util.Locale;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

/**
 * What an agent does when there is nothing to do, by the names that a user gives.
 */
public enum Idle
{
    /** By the number of cores. */
    auto,
    /** Never gives its core away. */
    spin,
    /** Gives its core to whoever waits for it. */
    yield,
    /** Sleeps for the shortest time that the system offers. */
    sleep,
    /** Sleeps for longer and longer. */
    backoff;

    /**
     * The strategy of that name.
     *
     * @return for one thread.
     */
    public IdleStrategy strategy()
    {
        return switch (this)
        {
            case spin -> BusySpinIdleStrategy.INSTANCE;
            case backoff -> new BackoffIdleStrategy(10, 10, 1_000, 100_000);
            case yield -> YieldingIdleStrategy.INSTANCE;
            case sleep -> new SleepingIdleStrategy();
            default -> Cores.areFew() ? YieldingIdleStrategy.INSTANCE : BusySpinIdleStrategy.INSTANCE;
        };
    }

    /**
     * What it comes to on this machine, as results name it.
     *
     * @return {@code busyspin}, {@code yielding}, {@code sleeping} or {@code backoff}.
     */
    public String strategyName()
    {
        return strategy().getClass().getSimpleName().replace("IdleStrategy", "").toLowerCase(Locale.ROOT);
    }
}
