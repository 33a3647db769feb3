package io.clusterecho.media.link;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.agrona.concurrent.IdleStrategy;

/**
 * Waits for the next datagram: for a while after work the thread yields, because a wake-up takes longer than most of these waits;
 * then it sleeps, wakes up a thousand times a second, and is woken by a datagram. Only for the one thread that runs a driver
 * and all its clients. Between yields it looks for a datagram, because that costs less than a round of these.
 */
public final class SocketIdleStrategy implements IdleStrategy
{
    /**
     * Longest wait, after which timers run: those of driver, archive and consensus module are far apart. Work that does not come
     * from the network, such as a request from this machine, may also be found this late.
     */
    private static final int MAX_WAIT_MS = 1;
    /** Linux adds its timer slack of 50 us. */
    private static final long NAP_NS = 1_000;
    /** Time to yield after work: longer than the gaps at a rate of a thousand messages per second. */
    private static final long YIELD_NS = 2_000_000;
    /** Longest time between rounds while it yields. */
    private static final long ROUND_NS = 50_000;

    /** Waits for a datagram at the sockets of a media driver; called by the thread that runs the driver. */
    @FunctionalInterface
    public interface DatagramWait
    {
        /** Wait for at most a time, 0 for none, until a datagram is readable, or less; returns whether one was. */
        boolean await(int timeoutMs);
    }

    private final DatagramWait datagrams;
    private final BooleanSupplier isDueSoon;
    private boolean isWorking;
    private long lastWorkNs = System.nanoTime();

    /**
     * @param isDueSoon whether something is due before the longest wait ends, so that the thread sleeps only briefly; called
     *                  before each wait.
     */
    public SocketIdleStrategy(final DatagramWait datagrams, final BooleanSupplier isDueSoon)
    {
        this.datagrams = datagrams;
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

        final boolean isNextDueSoon = isDueSoon.getAsBoolean();
        if (nowNs - lastWorkNs < YIELD_NS)
        {
            do
            {
                Thread.yield();
            }
            while (!isNextDueSoon && !datagrams.await(0) && System.nanoTime() - nowNs < ROUND_NS);
        }
        else if (isNextDueSoon)
        {
            LockSupport.parkNanos(NAP_NS);
        }
        else
        {
            datagrams.await(MAX_WAIT_MS);
        }
    }

    @Override
    public void reset()
    {
        isWorking = true;
    }
}
