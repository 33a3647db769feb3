package io.clusterecho.client.load;

import java.util.Locale;

import io.clusterecho.host.Processors;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

/** What an agent does while idle, by the names of the option. */
public enum Idle
{
    /** Chosen by the number of cores. */
    auto,
    /** Never releases its core. */
    spin,
    /** Yields its core to runnable threads. */
    yield,
    /** Sleeps for the shortest time that the system offers. */
    sleep,
    /** Sleeps for increasing times. */
    backoff;

    /** A strategy of this kind, for one thread. */
    public IdleStrategy strategy()
    {
        return switch (this)
        {
            case spin -> BusySpinIdleStrategy.INSTANCE;
            case backoff -> new BackoffIdleStrategy(10, 10, 1_000, 100_000);
            case yield -> YieldingIdleStrategy.INSTANCE;
            case sleep -> new SleepingIdleStrategy();
            default -> Processors.areFew() ? YieldingIdleStrategy.INSTANCE : BusySpinIdleStrategy.INSTANCE;
        };
    }

    /** Effective strategy on this machine, by its name in results: as {@code busyspin} or {@code yielding}. */
    public String strategyName()
    {
        return strategy().getClass().getSimpleName().replace("IdleStrategy", "").toLowerCase(Locale.ROOT);
    }
}
