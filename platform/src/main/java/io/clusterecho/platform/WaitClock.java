package io.clusterecho.platform;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** A clock and a way to wait on it. Thread-safe. */
public interface WaitClock
{
    WaitClock SYSTEM = new WaitClock()
    {
        @Override
        public long nanoTime()
        {
            return System.nanoTime();
        }

        @Override
        public long epochNs()
        {
            final Instant now = Instant.now();
            return now.getEpochSecond() * 1_000_000_000L + now.getNano();
        }

        @Override
        public void park(final long maxNs)
        {
            LockSupport.parkNanos(this, maxNs);
        }
    };

    /** Time in ns from an arbitrary origin, not affected by steps of the wall clock; may overflow. */
    long nanoTime();

    /** Time of day in ns since the epoch, as exact as the machine provides it. */
    long epochNs();

    /** Wait for at most so many ns, above 0, until the thread is unparked or interrupted; may return earlier. */
    void park(long maxNs);

    /**
     * Wait until a deadline of {@link #nanoTime()} for a result or a failure; false if there is none by then. An interrupt does
     * not end the wait and is restored afterwards.
     */
    default boolean await(final CompletableFuture<?> result, final long deadlineNs)
    {
        final Thread waiter = Thread.currentThread();
        result.whenComplete((value, failure) -> LockSupport.unpark(waiter));
        boolean isInterrupted = false;
        for (long leftNs = deadlineNs - nanoTime(); !result.isDone() && leftNs > 0; leftNs = deadlineNs - nanoTime())
        {
            park(leftNs);
            isInterrupted |= Thread.interrupted();
        }
        if (isInterrupted)
        {
            waiter.interrupt();
        }

        return result.isDone();
    }
}
