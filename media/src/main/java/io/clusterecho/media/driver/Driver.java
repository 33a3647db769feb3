package io.clusterecho.media.driver;

import io.clusterecho.media.link.SocketIdleStrategy.DatagramWait;

import org.agrona.concurrent.AgentInvoker;

/**
 * A running media driver. Closed by the thread that launched it.
 *
 * @param invoker      of the agent that the caller's thread must run; null for a driver with threads.
 * @param datagramWait where a thread that runs the driver can wait for its next datagram; null with threads or watched sockets.
 * @param stop         stops the driver, if it belongs to this process.
 */
public record Driver(AgentInvoker invoker, DatagramWait datagramWait, Runnable stop) implements AutoCloseable
{
    @Override
    public void close()
    {
        stop.run();
    }
}
