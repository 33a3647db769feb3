package io.clusterecho.reporting.results;

/**
 * The pulse of an overload test, in ns since the start of the schedule. The base rate is that of the warm-up too.
 *
 * @param baseRatePerSecond  before and after the pulse.
 * @param scheduleEndNs      end of the time after it.
 * @param skippedCount       messages of the warm-up that were not sent, because the system was behind at its end.
 * @param tolerance          by which the p99 may exceed that before the pulse and count as returned, 0.5 for half.
 */
public record OverloadPulse(
    long baseRatePerSecond, long pulseRatePerSecond, long beginNs, long endNs, long scheduleEndNs, long skippedCount,
    double tolerance)
{
    /** Number of messages due at a time since the start of the schedule, without those of the warm-up that were skipped. */
    double dueCount(final double timeNs)
    {
        final double untilNs = Math.min(timeNs, scheduleEndNs);
        final double inPulseNs = Math.max(0, Math.min(untilNs, endNs) - beginNs);
        return (baseRatePerSecond * untilNs + (pulseRatePerSecond - baseRatePerSecond) * inPulseNs) / 1e9 - skippedCount;
    }
}
