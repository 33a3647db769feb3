package io.clusterecho.client.load;

import io.clusterecho.client.schedule.Messages;
import io.clusterecho.client.schedule.Schedule;

/**
 * Plan of a run, complete before the run begins. Rate, counts and lengths are those of the whole schedule, even if this client
 * sends only a share of it. A run may end its warm-up or its schedule earlier, which leaves the times of messages as they are:
 * see {@link LoadAgent#requestWarmUpEnd()} and {@link LoadAgent#requestEnd()}.
 *
 * @param ratePerSecond     messages per second over all sessions of all clients; of a varying rate the mean over the measured
 *                          window, rounded down.
 * @param drainTimeoutNs    longest wait at the end for replies and for messages that are late in being sent.
 * @param lateAfterNs       response time above which an answer counts as late.
 * @param newestCount       number of messages whose send times are kept.
 */
public record LoadPlan(
    long ratePerSecond,
    Messages messages,
    long warmUpCount,
    long measuredCount,
    long warmUpNs,
    long measuredNs,
    int sessionCount,
    long drainTimeoutNs,
    long lateAfterNs,
    int newestCount,
    Delivery delivery,
    Share share,
    boolean isStaged)
{
    /** The plan of a single client that sends messages of one length, header included, at a constant rate. */
    public LoadPlan(
        final long ratePerSecond,
        final int lengthBytes,
        final long warmUpCount,
        final long measuredCount,
        final int sessionCount,
        final long drainTimeoutNs,
        final long lateAfterNs,
        final int newestCount,
        final Delivery delivery)
    {
        this(
            ratePerSecond, Messages.ofLength(lengthBytes, ratePerSecond), warmUpCount, measuredCount,
            durationNs(warmUpCount, ratePerSecond),
            durationNs(warmUpCount + measuredCount, ratePerSecond) - durationNs(warmUpCount, ratePerSecond), sessionCount,
            drainTimeoutNs, lateAfterNs, newestCount, delivery, Share.WHOLE, false);
    }

    public LoadPlan of(final Share newShare)
    {
        return new LoadPlan(
            ratePerSecond, messages, warmUpCount, measuredCount, warmUpNs, measuredNs, sessionCount, drainTimeoutNs,
            lateAfterNs, newestCount, delivery, newShare, isStaged);
    }

    /** The same plan with a shorter warm-up; the measured window keeps its length. */
    LoadPlan withWarmUpCount(final long newWarmUpCount)
    {
        return new LoadPlan(
            ratePerSecond, messages, newWarmUpCount, measuredCount, warmUpNs(newWarmUpCount), measuredNs, sessionCount,
            drainTimeoutNs, lateAfterNs, newestCount, delivery, share, isStaged);
    }

    /** Length of a warm-up of so many messages; one that is not the planned one is possible at a constant rate only. */
    long warmUpNs(final long count)
    {
        return count == warmUpCount ? warmUpNs : durationNs(count, ratePerSecond);
    }

    /**
     * Distance between two messages of one session. Message n of the schedule belongs to session n mod stride, counted over all
     * clients; every {@code share.count()}-th session is this client's.
     */
    public int stride()
    {
        return sessionCount * share.count();
    }

    /** Messages of warm-up and measured window of all clients. */
    public long messageCount()
    {
        return warmUpCount + measuredCount;
    }

    /** End of the schedule, in ns since its start. */
    public long endNs()
    {
        return warmUpNs + measuredNs;
    }

    /**
     * Target rate of the measured window, of which fewer messages are scheduled if the schedule ended early.
     *
     * @return messages per second; of a varying rate the mean over the time in which these messages were due, rounded down.
     */
    public long ratePerSecond(final Schedule schedule, final long scheduled)
    {
        final boolean isWhole = scheduled >= share.countOf(warmUpCount, messageCount());
        return isWhole || 0 == scheduled ? ratePerSecond :
            Math.max(1, (long)(scheduled * share.count() * 1e9 / Math.max(1, LoadAccounts.windowNs(this, schedule, scheduled))));
    }

    /** Time in ns in which so many messages are due at a constant rate. */
    public static long durationNs(final long count, final long ratePerSecond)
    {
        return (long)(count * 1e9 / ratePerSecond);
    }
}
