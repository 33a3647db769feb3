package io.clusterecho.reporting.document;

import java.io.PrintStream;

import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Counts;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.Times;

import org.HdrHistogram.Histogram;

/**
 * An interval of a run: a line of {@code --json-lines}. Times of messages are those of {@code manifest.json}, of the interval
 * alone; {@code sent} and {@code answered} include the warm-up, which has no times. What is unknown, and a time of no
 * messages, is left out.
 */
public record IntervalDocument(
    long beginNs, long endNs, String phase, Integer leader, long ratePerSecondAsked, double ratePerSecondAchieved, long sent,
    long answered, long late, long inFlight, long duplicates, long outOfOrder, long corrupt, long backPressured,
    long disconnected, long newLeaders, long reconnects, Times responseTimeNs, Times serviceTimeNs, Times sendDelayNs,
    Times receiveLatenessNs, Times stallNs)
{
    private static final double NS_PER_S = 1e9;

    public static IntervalDocument of(final RunInterval interval)
    {
        final Counts counts = interval.counts();
        final Histograms times = interval.times();
        final double lengthS = Math.max(1, interval.endNs() - interval.beginNs()) / NS_PER_S;
        return new IntervalDocument(
            interval.beginNs(), interval.endNs(), interval.phase().label(),
            interval.leaderMemberId() < 0 ? null : interval.leaderMemberId(), interval.ratePerSecondAsked(),
            Documents.rounded(counts.of(Counter.ANSWERED_ALL) / lengthS, 2), counts.of(Counter.SENT_ALL),
            counts.of(Counter.ANSWERED_ALL), counts.of(Counter.LATE), interval.inFlight(),
            counts.of(Counter.DUPLICATES), counts.of(Counter.OUT_OF_ORDER), counts.of(Counter.CORRUPT),
            counts.of(Counter.BACK_PRESSURED), counts.of(Counter.DISCONNECTED), counts.of(Counter.NEW_LEADERS),
            counts.of(Counter.RECONNECTS), nonEmpty(times.of(Time.RESPONSE)), nonEmpty(times.of(Time.SERVICE)),
            nonEmpty(times.of(Time.SEND_DELAY)), nonEmpty(times.of(Time.RECEIVE_LATENESS)), Times.of(times.of(Time.STALL)));
    }

    /** Prints each interval of a run as one line of JSON when it ends, and flushes it. */
    public static IntervalListener printer(final PrintStream out)
    {
        return (interval) ->
        {
            out.print(Documents.line(of(interval)));
            out.flush();
        };
    }

    private static Times nonEmpty(final Histogram values)
    {
        return 0 == values.getTotalCount() ? null : Times.of(values);
    }
}
