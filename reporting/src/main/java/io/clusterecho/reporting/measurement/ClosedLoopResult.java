package io.clusterecho.reporting.measurement;

import org.HdrHistogram.Histogram;

/**
 * What a closed loop measured.
 *
 * @param count      round trips measured.
 * @param lost       messages whose session was lost before they were answered.
 * @param damaged    replies that are not whole, or to no message that was under way.
 * @param inFlight   messages under way when it ended.
 * @param durationNs from the last reply of the warm-up to the last reply.
 * @param roundTrips receive - send in ns.
 * @param failure    why it ended too early, or null.
 * @param isPartial  whether it was asked to end before all was measured.
 */
public record ClosedLoopResult(
    long count,
    long lost,
    long damaged,
    long inFlight,
    long durationNs,
    Histogram roundTrips,
    String failure,
    boolean isPartial)
{
    /**
     * Round trips per second.
     *
     * @return the rate, 0 if there were none.
     */
    public double ratePerSecond()
    {
        return 0 == durationNs ? 0 : count * 1e9 / durationNs;
    }
}
