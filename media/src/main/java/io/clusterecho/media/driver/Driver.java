package io.clusterecho.media.driver;

import io.clusterecho.media.socket.DatagramWait;

import org.agrona.concurrent.AgentInvoker;

/** A running media driver. Closed by the thread that launched it. */
public interface Driver extends AutoCloseable
{
    /**
     * Invoker for a driver without threads.
     *
     * @return the agent that the caller's thread must invoke, or null for a driver with threads.
     */
    AgentInvoker invoker();

    /**
     * Where a thread that invokes the driver can wait for its next datagram.
     *
     * @return null if the driver has threads, or if its sockets are watched by other means.
     */
    default DatagramWait datagramWait()
    {
        return null;
    }

    /** Stop the driver, if it belongs to this process. */
    @Override
    void close();
}
