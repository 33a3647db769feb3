package io.clusterecho.media.driver;

import io.clusterecho.media.socket.DatagramWait;

import org.agrona.concurrent.AgentInvoker;

/** A running media driver. Closed by the thread that launched it. */
public interface Driver extends AutoCloseable
{
    /** The agent that the caller's thread must invoke, or null for a driver with threads. */
    default AgentInvoker invoker()
    {
        return null;
    }

    /** Where a thread that invokes the driver can wait for its next datagram; null with threads or watched sockets. */
    default DatagramWait datagramWait()
    {
        return null;
    }

    /** Stop the driver, if it belongs to this process. */
    @Override
    void close();
}
