package io.clusterecho.threads;

import java.util.concurrent.TimeUnit;

/** Waits that an interrupt does not end; it is restored afterwards. */
public final class Uninterrupted
{
    /** A wait for at most so many ns, from 0; false if that was too short. */
    @FunctionalInterface
    public interface TimedWait
    {
        boolean await(long timeoutNs) throws InterruptedException;
    }

    /** Wait until a deadline of {@link System#nanoTime()}; false if that was too early. */
    public static boolean await(final long deadlineNs, final TimedWait wait)
    {
        boolean isInterrupted = false;
        while (true)
        {
            try
            {
                final boolean isOver = wait.await(Math.max(0, deadlineNs - System.nanoTime()));
                if (isInterrupted)
                {
                    Thread.currentThread().interrupt();
                }
                return isOver;
            }
            catch (final InterruptedException ex)
            {
                isInterrupted = true;
            }
        }
    }

    /** Wait for the end of a thread for at most so many ns; false if it still runs. */
    public static boolean join(final Thread thread, final long timeoutNs)
    {
        return await(System.nanoTime() + timeoutNs, (leftNs) ->
        {
            TimeUnit.NANOSECONDS.timedJoin(thread, leftNs);
            return !thread.isAlive();
        });
    }

    public static void join(final Thread thread)
    {
        join(thread, Long.MAX_VALUE);
    }
}
