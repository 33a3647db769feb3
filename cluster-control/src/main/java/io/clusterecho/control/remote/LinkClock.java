package io.clusterecho.control.remote;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.agrona.concurrent.NanoClock;

/**
 * The time by which answers of other hosts are due. Any thread may use it.
 */
interface LinkClock extends NanoClock
{
    /**
     * The clock of this machine.
     */
    LinkClock SYSTEM = new LinkClock()
    {
        @Override
        public long nanoTime()
        {
            return System.nanoTime();
        }

        @Override
        public boolean await(final CompletableFuture<?> result, final long deadlineNs)
        {
            boolean isInterrupted = false;
            try
            {
                while (true)
                {
                    try
                    {
                        result.get(Math.max(0, deadlineNs - nanoTime()), TimeUnit.NANOSECONDS);
                        return true;
                    }
                    catch (final ExecutionException ex)
                    {
                        return true;
                    }
                    catch (final TimeoutException ex)
                    {
                        return false;
                    }
                    catch (final InterruptedException ex)
                    {
                        isInterrupted = true;
                    }
                }
            }
            finally
            {
                if (isInterrupted)
                {
                    Thread.currentThread().interrupt();
                }
            }
        }
    };

    /**
     * Wait for a result; an interrupt does not end the wait and is restored after it.
     *
     * @param result     to wait for.
     * @param deadlineNs of {@link #nanoTime()}.
     * @return whether the result, or the failure to produce it, was there by then.
     */
    boolean await(CompletableFuture<?> result, long deadlineNs);
}
