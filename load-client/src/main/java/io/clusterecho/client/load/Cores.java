package io.clusterecho.client.load;

import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingIdleStrategy;

/**
 * What follows from the number of cores, for clients and for the servers that they are measured with.
 */
public final class Cores
{
    private static final int FEW = 8;

    private Cores()
    {
    }

    /**
     * Whether threads that spin would take their turns from others that have work.
     *
     * @return true if so.
     */
    public static boolean areFew()
    {
        return Runtime.getRuntime().availableProcessors() < FEW;
    }

    /**
     * What an agent does while there is nothing to do.
     *
     * @return a strategy for one thread.
     */
    public static IdleStrategy idleStrategy()
    {
        return areFew() ? new SleepingIdleStrategy() : BusySpinIdleStrategy.INSTANCE;
    }
}
