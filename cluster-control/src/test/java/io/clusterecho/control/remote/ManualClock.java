package io.clusterecho.control.remote;

import java.util.concurrent.CompletableFuture;

import io.clusterecho.platform.WaitClock;

/** A clock that a test advances. Waits end as soon as their deadline has passed. */
final class ManualClock implements WaitClock
{
    private long nowNs = Long.MAX_VALUE - 5_000_000_000L;
    private int waiterCount;

    @Override
    public synchronized long nanoTime()
    {
        return nowNs;
    }

    @Override
    public long epochNs()
    {
        return nanoTime();
    }

    @Override
    public void park(final long maxNs)
    {
        throw new AssertionError("waits for " + maxNs + " ns without a result");
    }

    synchronized void advance(final long durationNs)
    {
        nowNs += durationNs;
        notifyAll();
    }

    /** Wait until other threads are waiting for results. */
    synchronized void awaitWaiters(final int count) throws InterruptedException
    {
        while (waiterCount < count)
        {
            wait();
        }
    }

    @Override
    public boolean await(final CompletableFuture<?> result, final long deadlineNs)
    {
        result.whenComplete((value, failure) -> wake());
        synchronized (this)
        {
            boolean isInterrupted = false;
            waiterCount++;
            notifyAll();
            while (!result.isDone() && nowNs - deadlineNs < 0)
            {
                try
                {
                    wait();
                }
                catch (final InterruptedException ex)
                {
                    isInterrupted = true;
                }
            }
            waiterCount--;
            if (isInterrupted)
            {
                Thread.currentThread().interrupt();
            }
        }

        return result.isDone();
    }

    private synchronized void wake()
    {
        notifyAll();
    }
}
