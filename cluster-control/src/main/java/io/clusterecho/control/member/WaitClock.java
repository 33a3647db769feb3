package io.clusterecho.control.member;

import java.util.concurrent.locks.LockSupport;

import org.agrona.concurrent.NanoClock;

/**
 * Time as a {@link Deadline} knows it, and how it waits. Any thread may use it.
 */
public interface WaitClock extends NanoClock
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
        public void park(final long maxNs)
        {
            LockSupport.parkNanos(this, maxNs);
        }
    };

    /**
     * Wait until some time has passed or the thread is interrupted; or for less.
     *
     * @param maxNs to wait, above 0.
     */
    void park(long maxNs);
}
