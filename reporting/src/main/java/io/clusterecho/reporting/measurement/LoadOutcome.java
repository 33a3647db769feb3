package io.clusterecho.reporting.measurement;

import java.util.List;

import io.clusterecho.attribution.SlowMessage;
import io.clusterecho.attribution.StageTimes;

import org.HdrHistogram.Histogram;

/**
 * Outcome of all messages of the measured window, or of one client's share of it.
 *
 * @param ratePerSecondAchieved first replies per second, from the begin of the measured window to its end or to the last of
 *                              them, whichever is later; never above the target rate.
 * @param lastAnswerNs          last first reply to a measured message, counted from the begin of the measured window; 0 if none.
 * @param unansweredAges        ages of messages unanswered or never sent: end of the run - intended.
 * @param stages                stage times of answered messages, or null if not requested.
 * @param kinds                 outcome of each kind of message, whose counts add up to these; none if there is only one kind, or
 *                              if a client was lost before it reported its own.
 * @param replies               of each kind of reply, if there are several: {@link Counter#ANSWERED} counts requests with one,
 *                              which have the times, {@link Counter#REPEATED} and {@link Counter#DUPLICATES} further ones.
 * @param slowest               the slowest messages, or null if a client was lost before it reported its own.
 */
public record LoadOutcome(
    Counts counts, double ratePerSecondAchieved, long lastAnswerNs, Histogram unansweredAges, StageTimes stages,
    List<KindOutcome> kinds, List<KindOutcome> replies, List<SlowMessage> slowest)
{
    public long of(final Counter counter)
    {
        return counts.of(counter);
    }

    /** First replies, late or not. */
    public long replied()
    {
        return of(Counter.ANSWERED) + of(Counter.LATE);
    }

    /** Messages without a reply, sent or not. */
    public long lost()
    {
        return of(Counter.UNANSWERED) + of(Counter.NEVER_SENT);
    }
}
