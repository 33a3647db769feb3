package io.clusterecho.client.witness;

import io.clusterecho.reporting.measurement.TimeRecorder;

import org.HdrHistogram.Histogram;

/**
 * Service times of the client compared with those on the wire, message by message.
 *
 * @param answeredCount measured messages with a reply, by the client.
 * @param matchedCount  of these, messages whose request and reply were captured.
 * @param ownTimes      service times of the matched messages by the client, in ns.
 * @param wireTimes     by the capture, in ns.
 * @param differences   own - wire, message by message, in ns; those below 0 count as 0.
 * @param belowCount    messages that took less time by the client than on the wire.
 * @param lowestNs      the lowest difference, in ns; 0 without matches.
 */
record CaptureComparison(
    long answeredCount,
    long matchedCount,
    Histogram ownTimes,
    Histogram wireTimes,
    Histogram differences,
    long belowCount,
    long lowestNs)
{
    /**
     * Compare.
     *
     * @param endIndex   after the last of them.
     */
    static CaptureComparison of(final OwnTimes own, final WireTimes wire, final int firstIndex, final int endIndex)
    {
        final Histogram ownTimes = TimeRecorder.newHistogram();
        final Histogram wireTimes = TimeRecorder.newHistogram();
        final Histogram differences = TimeRecorder.newHistogram();
        long answeredCount = 0;
        long belowCount = 0;
        long lowestNs = Long.MAX_VALUE;
        for (int i = firstIndex; i < endIndex; i++)
        {
            final long ownNs = own.serviceTimeNs(i);
            final long wireNs = wire.serviceTimeNs(i);
            answeredCount += OwnTimes.NONE == ownNs ? 0 : 1;
            if (OwnTimes.NONE != ownNs && WireTimes.NONE != wireNs)
            {
                ownTimes.recordValue(bounded(ownNs));
                wireTimes.recordValue(bounded(wireNs));
                differences.recordValue(bounded(ownNs - wireNs));
                belowCount += ownNs < wireNs ? 1 : 0;
                lowestNs = Math.min(lowestNs, ownNs - wireNs);
            }
        }
        return new CaptureComparison(
            answeredCount, ownTimes.getTotalCount(), ownTimes, wireTimes, differences, belowCount,
            0 == ownTimes.getTotalCount() ? 0 : lowestNs);
    }

    private static long bounded(final long timeNs)
    {
        return Math.max(0, Math.min(TimeRecorder.MAX_TIME_NS, timeNs));
    }
}
