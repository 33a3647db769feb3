package io.clusterecho.reporting.document;

import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.IntervalCounts;
import io.clusterecho.reporting.measurement.RunInterval;

/**
 * An interval of a run: a line of {@code --json-lines}. Times of messages are those of {@code manifest.json}, of the interval
 * alone; {@code sent} and {@code answered} include the warm-up, and {@code leader} and {@code receiveLatenessNs} are null where
 * they are unknown.
 */
public record IntervalDocument(
    long beginNs, long endNs, String phase, Integer leader, long ratePerSecondAsked, double ratePerSecondAchieved, long sent,
    long answered, long late, long inFlight, long duplicates, long outOfOrder, long corrupt, long backPressured,
    long disconnected, long newLeaders, long reconnects, Times responseTimeNs, Times serviceTimeNs, Times sendDelayNs,
    Times receiveLatenessNs, Times stallNs)
{
    private static final double NS_PER_S = 1e9;

    /**
     * Document of an interval.
     *
     * @param interval that has ended.
     * @param counts   of the same interval.
     */
    public static IntervalDocument of(final RunInterval interval, final IntervalCounts counts)
    {
        final double lengthS = Math.max(1, interval.endNs() - interval.beginNs()) / NS_PER_S;
        return new IntervalDocument(
            interval.beginNs(), interval.endNs(), interval.phase().label(),
            interval.leaderMemberId() < 0 ? null : interval.leaderMemberId(), interval.ratePerSecondAsked(),
            Documents.rounded(counts.of(Counter.ANSWERED_ALL) / lengthS, 2), counts.of(Counter.SENT_ALL),
            counts.of(Counter.ANSWERED_ALL), counts.of(Counter.LATE), interval.sentAll() - interval.answeredAll(),
            counts.of(Counter.DUPLICATES), counts.of(Counter.OUT_OF_ORDER), counts.of(Counter.CORRUPT),
            counts.of(Counter.BACK_PRESSURED), counts.of(Counter.DISCONNECTED), counts.of(Counter.NEW_LEADERS),
            counts.of(Counter.RECONNECTS), Times.of(interval.responseTimes()), Times.of(interval.serviceTimes()),
            Times.of(interval.sendDelays()),
            0 == interval.receiveLateness().getTotalCount() ? null : Times.of(interval.receiveLateness()),
            Times.of(interval.stalls()));
    }
}
