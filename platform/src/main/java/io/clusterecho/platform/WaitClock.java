package io.clusterecho.platform;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * The time, and how to wait until it has come. Any thread may use it.
 */
public interface WaitClock
{
    /**
     * The clock of this machine.
     */
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
     * Time from an arbitrary origin, which no step of the wall clock changes.
     *
     * @return in ns, may overflow.
     */
    long nanoTime();

    /**
     * Time of day, as exactly as the machine has it.
     *
     * @return in ns since the epoch.
     */
    long epochNs();

    /**
     * Wait until the thread is unparked or interrupted, or some time has passed; or for less.
     *
     * @param maxNs to wait, above 0.
     */
    void park(long maxNs);

    /**
     * Wait for a result; an interrupt does not end the wait and is restored after it.
     *
     * @param result     to wait for.
     * @param deadlineNs of {@link #nanoTime()}.
     * @return whether the result, or the failure to produce it, was there by then.
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
