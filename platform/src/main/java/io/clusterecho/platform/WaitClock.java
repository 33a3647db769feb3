package io.clusterecho.platform;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** A clock and a way to wait on it. Thread-safe. */
public interface WaitClock
{
    /** The clock of this machine. */
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

    /**
     * Time from an arbitrary origin, not affected by steps of the wall clock.
     *
     * @return in ns, may overflow.
     */
    long nanoTime();

    /**
     * Time of day, as exact as the machine provides it.
     *
     * @return in ns since the epoch.
     */
    long epochNs();

    /**
     * Wait until the thread is unparked or interrupted, or the time has passed; may return earlier.
     *
     * @param maxNs maximum wait, above 0.
     */
    void park(long maxNs);

    /**
     * Wait for a result; an interrupt does not end the wait and is restored afterwards.
     *
     * @param deadlineNs of {@link #nanoTime()}.
     * @return whether the result, or a failure, was there by then.
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
