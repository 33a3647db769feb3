package io.clusterecho.node.member;

import java.util.concurrent.TimeUnit;

/**
 * Notices an election that fails again and again. The consensus module repeats it for ever, dozens of times a second, and each
 * time occupies the archive of the leader, which then fails the other members. One thread.
 */
final class ElectionLoop
{
    static final int MIN_FAILURES = 20;
    static final long MIN_DURATION_NS = TimeUnit.SECONDS.toNanos(10);
    /** After this time without a failure the next one is the first. */
    static final long QUIET_NS = TimeUnit.SECONDS.toNanos(5);

    private int failureCount;
    private long firstNs;
    private long lastNs;

    /**
     * The election failed.
     *
     * @return whether it is to be given up.
     */
    boolean isEndless(final long nowNs)
    {
        if (0 == failureCount || nowNs - lastNs > QUIET_NS)
        {
            failureCount = 0;
            firstNs = nowNs;
        }
        failureCount++;
        lastNs = nowNs;
        return failureCount >= MIN_FAILURES && nowNs - firstNs >= MIN_DURATION_NS;
    }
}
