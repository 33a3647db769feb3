package io.clusterecho.media.driver;

import org.agrona.concurrent.AgentInvoker;

/**
 * A running media driver. Closed by the thread that launched it.
 */
public interface Driver extends AutoCloseable
{
    /**
     * Invoker for a driver without threads.
     *
     * @return the agent that the caller's thread must invoke, or null for a driver with threads.
     */
    AgentInvoker invoker();

    /**
     * Stop the driver, if it belongs to this process.
     */
    @Override
    void close();
}
