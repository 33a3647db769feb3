package io.clusterecho.reporting.measurement;

import java.util.List;

import org.HdrHistogram.Histogram;

/**
 * Outcome of all messages of the measured window, or of one client's share of it.
 *
 * @param scheduled             messages of the window; the sum of the next four.
 * @param answered              first reply within the late limit.
 * @param late                  first reply beyond the late limit.
 * @param unanswered            sent, no reply by the end.
 * @param neverSent             due, but not accepted by the transport by the end.
 * @param duplicates            further replies; with exactly-once delivery, those that show that a message was applied twice.
 * @param outOfOrder            first replies overtaken by a reply to a newer message.
 * @param corrupt               replies that are not the complete echo of a sent message.
 * @param backPressured         attempts to send that met back pressure.
 * @param disconnected          attempts to send without a session.
 * @param resent                messages sent again.
 * @param repeated              further replies to messages that were sent again but applied once.
 * @param gaps                  requests rejected because an earlier one was missing.
 * @param forgotten             acknowledged messages that the service requested again: lost after it had answered.
 * @param boundWaits            duty cycles in which a due message waited because too many were unacknowledged.
 * @param warmUpSkipped         messages of the warm-up that were skipped because the cluster was behind at its end.
 * @param ratePerSecondAchieved first replies per second, from the begin of the measured window to its end or to the last of
 *                              them, whichever is later; never above the target rate.
 * @param lastAnswerNs          last first reply to a measured message, counted from the begin of the measured window; 0 if none.
 * @param unansweredAges        ages of messages unanswered or never sent: end of the run - intended.
 * @param stages                stage times of answered messages, or null if not requested.
 * @param kinds                 outcome of each kind of message, whose counts add up to these; none if there is only one kind, or
 *                              if a client was lost before it reported its own.
 */
public record LoadOutcome(
    long scheduled,
    long answered,
    long late,
    long unanswered,
    long neverSent,
    long duplicates,
    long outOfOrder,
    long corrupt,
    long backPressured,
    long disconnected,
    long newLeaders,
    long reconnects,
    long resent,
    long repeated,
    long gaps,
    long forgotten,
    long boundWaits,
    long warmUpSkipped,
    double ratePerSecondAchieved,
    long lastAnswerNs,
    Histogram unansweredAges,
    StageTimes stages,
    List<KindOutcome> kinds)
{
    /** Messages without a reply, sent or not. */
    public long lost()
    {
        return unanswered + neverSent;
    }
}
