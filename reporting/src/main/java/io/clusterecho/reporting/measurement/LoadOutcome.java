package io.clusterecho.reporting.measurement;

import org.HdrHistogram.Histogram;

/**
 * What became of every message of the measured window, or of a client's share of it.
 *
 * @param scheduled             messages of the window; the sum of the next four.
 * @param answered              first reply came within the late limit.
 * @param late                  first reply came, beyond the late limit.
 * @param unanswered            sent, no reply by the end.
 * @param neverSent             due, but the transport did not take it by the end.
 * @param duplicates            further replies; where messages are sent again, those by which a message was applied twice.
 * @param outOfOrder            replies that a reply to a newer message had overtaken.
 * @param corrupt               replies that are not whole.
 * @param backPressured         attempts to send that met back pressure.
 * @param disconnected          attempts to send without a session.
 * @param newLeaders            changes of leader seen.
 * @param reconnects            sessions opened in place of lost ones.
 * @param resent                messages sent again.
 * @param repeated              further replies to messages that were sent again and applied once.
 * @param gaps                  requests refused because an earlier one was missing.
 * @param forgotten             acknowledged messages that the service asked for again: lost after it had answered.
 * @param boundWaits            turns in which a due message waited because too many were unacknowledged.
 * @param warmUpSkipped         messages of the warm-up that were not sent, as the cluster was behind at its end.
 * @param ratePerSecondAchieved first replies per second, from the begin of the measured window to its end or to the last of
 *                              them, whichever is later; never above the rate asked.
 * @param lastAnswerNs          last first reply to a measured message, counted from the begin of the measured window; 0 if none.
 * @param unansweredAges        response times, so far, of messages unanswered or never sent: end of the run - intended.
 * @param stages                of the way of answered messages, or null if nobody asked for them.
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
    StageTimes stages)
{
    /**
     * Messages without a reply, whether they were sent or not.
     */
    public long lost()
    {
        return unanswered + neverSent;
    }
}
