package io.clusterecho.client.calibration;

import java.util.Arrays;

import io.clusterecho.client.load.Delivery;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.client.transport.MemoryTransport;

import org.agrona.concurrent.NanoClock;

/**
 * An echo whose response times are known before it is measured. A client without any error sends message n when it is due and
 * receives its reply at once when that is available:
 * <pre>
 *   reply(n) = due(n) + delay               outside of the stall
 *            = begin of the stall + stall   where that would be within it
 * </pre>
 *
 * @param stallBeginNs  of the only stall, in ns since message 0 is due.
 * @param stallNs       its length in ns; 0 for none.
 */
public record KnownEcho(
    long ratePerSecond,
    int lengthBytes,
    long warmUpCount,
    long measuredCount,
    long delayNs,
    long stallBeginNs,
    long stallNs)
{
    private static final long DRAIN_TIMEOUT_NS = 2_000_000_000L;
    private static final long LATE_AFTER_NS = 10_000_000_000L;
    private static final int NEWEST_COUNT_MAX = 1 << 22;
    private static final long NS_PER_SECOND = 1_000_000_000L;
    /** Half of what the echo can hold, so that a stall never meets back pressure. */
    private static final long MAX_STALLED_COUNT = MemoryTransport.CAPACITY / 2;

    /**
     * An echo that fills a time, of which the first quarter is warm-up.
     *
     * @param durationNs    of warm-up and measured window, in ns.
     * @param isStalled     whether replies stall in the middle of the measured window, for a twentieth of it, or shorter where
     *                      that would be too many messages.
     */
    public static KnownEcho of(
        final long ratePerSecond, final int lengthBytes, final long durationNs, final long delayNs, final boolean isStalled)
    {
        final long count = Math.max(4, Math.round(durationNs / 1e9 * ratePerSecond));
        final long warmUpCount = count / 4;
        final long measuredNs = (count - warmUpCount) * NS_PER_SECOND / ratePerSecond;
        final long stallNs = Math.min(measuredNs / 20, MAX_STALLED_COUNT * NS_PER_SECOND / ratePerSecond);
        return new KnownEcho(
            ratePerSecond, lengthBytes, warmUpCount, count - warmUpCount, delayNs,
            isStalled ? warmUpCount * NS_PER_SECOND / ratePerSecond + measuredNs / 2 : 0, isStalled ? stallNs : 0);
    }

    /** The load: one session, at most once. */
    public LoadPlan plan()
    {
        return plan(ratePerSecond, lengthBytes, warmUpCount, measuredCount);
    }

    static LoadPlan plan(final long ratePerSecond, final int lengthBytes, final long warmUpCount, final long measuredCount)
    {
        return new LoadPlan(
            ratePerSecond, lengthBytes, warmUpCount, measuredCount, 1, DRAIN_TIMEOUT_NS, LATE_AFTER_NS,
            (int)Math.max(1024, Math.min(NEWEST_COUNT_MAX, warmUpCount + measuredCount)), Delivery.AT_MOST_ONCE);
    }

    public Schedule schedule()
    {
        return new ConstantSchedule(ratePerSecond);
    }

    /** The echo itself; message 0 is due {@code leadNs} after it is connected. */
    public MemoryTransport transport(final NanoClock clock, final long leadNs)
    {
        return new MemoryTransport(clock, lengthBytes, delayNs, leadNs + stallBeginNs, stallNs, 1);
    }

    /** True response times of the measured messages, in ns, in ascending order. */
    public long[] trueTimesNs()
    {
        final Schedule schedule = schedule();
        final long[] times = new long[Math.toIntExact(measuredCount)];
        for (int i = 0; i < times.length; i++)
        {
            final long dueNs = schedule.timeNs(warmUpCount + i);
            final long intoStallNs = dueNs + delayNs - stallBeginNs;
            times[i] = intoStallNs >= 0 && intoStallNs < stallNs ? stallBeginNs + stallNs - dueNs : delayNs;
        }
        Arrays.sort(times);
        return times;
    }
}
