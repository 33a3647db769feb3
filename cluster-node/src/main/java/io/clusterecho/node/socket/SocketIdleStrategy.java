package io.clusterecho.node.socket;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.agrona.concurrent.IdleStrategy;

/**
 * Waits for the next datagram: the thread gives its core away at once, looks a thousand times a second while nothing arrives,
 * and is woken by what it waits for. For the one thread that carries a driver and everything that gets its work from it.
 */
public final class SocketIdleStrategy implements IdleStrategy
{
    /**
     * Longest wait, after which timers get their turn: those of driver, archive and consensus module are far apart, and work
     * that does not come from the network, such as a request from within this machine, may be found this late.
     */
    private static final long MAX_WAIT_MS = 1;
    /** To which Linux adds its timer slack of 50 us. */
    private static final long NAP_NS = 1_000;

    private final SocketWatch watch;
    private final BooleanSupplier isDueSoon;

    /**
     * A strategy for one thread.
     *
     * @param watch     of the driver's sockets.
     * @param isDueSoon whether something is due by the clock before the longest wait, so that the thread only sleeps for a
     *                  moment; asked before each wait.
     */
    public SocketIdleStrategy(final SocketWatch watch, final BooleanSupplier isDueSoon)
    {
        this.watch = watch;
        this.isDueSoon = isDueSoon;
    }

    @Override
    public void idle(final int workCount)
    {
        if (workCount <= 0)
        {
            idle();
        }
    }

    @Override
    public void idle()
    {
        if (isDueSoon.getAsBoolean())
        {
            LockSupport.parkNanos(NAP_NS);
        }
        else
        {
            watch.await(MAX_WAIT_MS);
        }
    }

    @Override
    public void reset()
    {
    }

    @Override
    public String alias()
    {
        return "socket";
    }
}
