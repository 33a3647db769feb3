package io.clusterecho.media.driver;

import org.agrona.concurrent.AgentInvoker;

/**
 * A media driver that works. Closed by the thread that launched it.
 */
public interface Driver extends AutoCloseable
{
    /**
     * How the driver is given its turns.
     *
     * @return what the one thread that carries it must invoke, or null for a driver that has threads.
     */
    AgentInvoker invoker();

    /**
     * End the driver, if it is this process's own.
     */
    @Override
    void close();
}
