package io.clusterecho.reporting.measurement;

import org.HdrHistogram.Histogram;

/**
 * @param count      round trips measured.
 * @param lost       messages unanswered because their session was lost.
 * @param damaged    replies that are incomplete, or to no message in flight.
 * @param inFlight   messages in flight at the end.
 * @param mostInFlight messages in flight at once, at most.
 * @param concurrency  messages that should be in flight at once.
 * @param durationNs from the last reply of the warm-up to the last reply, or to the time limit if that was later.
 * @param roundTrips receive - send in ns; also the ages of messages whose session was lost, of those in flight if it failed,
 *                   and of those in flight at an interruption that are older than any round trip.
 * @param failure    why it ended early, or null.
 * @param isPartial  whether it was ended by request before all was measured.
 */
public record ClosedLoopResult(
    long count,
    long lost,
    long damaged,
    long inFlight,
    int mostInFlight,
    int concurrency,
    long durationNs,
    Histogram roundTrips,
    String failure,
    boolean isPartial)
{
    /** Round trips per second, 0 if there were none. */
    public double ratePerSecond()
    {
        return 0 == durationNs ? 0 : count * 1e9 / durationNs;
    }
}
