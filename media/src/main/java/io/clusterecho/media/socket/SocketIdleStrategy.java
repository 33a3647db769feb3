package io.clusterecho.media.socket;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.agrona.concurrent.IdleStrategy;

/**
 * Waits for the next datagram: for a while after there was work the thread yields, since a wake-up takes longer than most of what
 * it waits for then; after that it sleeps, looks a thousand times a second, and is woken by what arrives. For the one thread that
 * carries a driver and everything that gets its work from it. Only for that thread.
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
    /**
     * How long to yield after work: longer than the gaps of a load of a thousand messages a second.
     */
    private static final long YIELD_NS = 2_000_000;

    private final SocketWatch watch;
    private final BooleanSupplier isDueSoon;
    private boolean isWorking;
    private long lastWorkNs = System.nanoTime();

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
        else
        {
            isWorking = true;
        }
    }

    @Override
    public void idle()
    {
        final long nowNs = System.nanoTime();
        if (isWorking)
        {
            isWorking = false;
            lastWorkNs = nowNs;
        }

        if (nowNs - lastWorkNs < YIELD_NS)
        {
            Thread.yield();
        }
        else if (isDueSoon.getAsBoolean())
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
        isWorking = true;
    }

    @Override
    public String alias()
    {
        return "socket";
    }
}
