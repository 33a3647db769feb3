package io.clusterecho.client.worker;

import java.util.concurrent.locks.LockSupport;

import org.agrona.concurrent.NanoClock;

/**
 * Time as the coordinator of several clients knows it, and how it waits.
 */
interface CoordinatorClock extends NanoClock
{
    /**
     * That of this machine.
     */
    CoordinatorClock SYSTEM = new CoordinatorClock()
    {
        @Override
        public long nanoTime()
        {
            return System.nanoTime();
        }

        @Override
        public long epochNs()
        {
            return Protocol.epochNs();
        }

        @Override
        public void park(final long maxNs)
        {
            LockSupport.parkNanos(this, maxNs);
        }
    };

    /**
     * Time of day.
     *
     * @return in ns since the epoch.
     */
    long epochNs();

    /**
     * Wait until a link has something to take, the thread is interrupted, or some time has passed; or for less.
     *
     * @param maxNs to wait, above 0.
     */
    void park(long maxNs);
}
