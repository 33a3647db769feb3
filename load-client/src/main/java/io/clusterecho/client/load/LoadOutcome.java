package io.clusterecho.client.load;

import io.clusterecho.client.record.Counter;
import io.clusterecho.client.record.Counters;
import io.clusterecho.client.record.Ledger;
import io.clusterecho.client.record.TimeRecorder;
import io.clusterecho.client.schedule.Schedule;

import org.HdrHistogram.Histogram;

/**
 * What became of every message of the measured window.
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
 * @param unansweredAges        response times, so far, of messages unanswered or never sent: end of the run - intended.
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
    Histogram unansweredAges)
{
    /**
     * Messages without a reply, whether they were sent or not.
     *
     * @return the count.
     */
    public long lost()
    {
        return unanswered + neverSent;
    }

    static LoadOutcome of(
        final LoadPlan plan,
        final Schedule schedule,
        final LoadSession[] sessions,
        final Ledger ledger,
        final LoadRecords records,
        final long startNs,
        final long endNs)
    {
        final Histogram ages = TimeRecorder.newHistogram();
        long scheduled = 0;
        long unanswered = 0;
        long neverSent = 0;
        for (int number = 0; number < sessions.length; number++)
        {
            final long step = plan.sessionCount();
            final long firstMeasured = number + (Math.max(0, plan.warmUpCount() - number) + step - 1) / step * step;
            final LoadSession session = sessions[number];
            for (long index = firstMeasured; index < session.endIndex(); index += step)
            {
                scheduled++;
                if (index >= session.nextIndex())
                {
                    neverSent++;
                }
                else if (!ledger.isAnswered(index))
                {
                    unanswered++;
                }
                else
                {
                    continue;
                }
                ages.recordValue(Math.max(0, endNs - startNs - schedule.timeNs(index)));
            }
        }

        final Counters counters = records.counters();
        final long answered = counters.value(Counter.ANSWERED);
        final long late = counters.value(Counter.LATE);
        final long replied = answered + late;
        return new LoadOutcome(
            scheduled,
            answered,
            late,
            unanswered,
            neverSent,
            counters.value(Counter.DUPLICATES),
            counters.value(Counter.OUT_OF_ORDER),
            counters.value(Counter.CORRUPT),
            counters.value(Counter.BACK_PRESSURED),
            counters.value(Counter.DISCONNECTED),
            counters.value(Counter.NEW_LEADERS),
            counters.value(Counter.RECONNECTS),
            counters.value(Counter.RESENT),
            counters.value(Counter.REPEATED),
            counters.value(Counter.GAPS),
            counters.value(Counter.FORGOTTEN),
            counters.value(Counter.BOUND_WAITS),
            counters.value(Counter.WARM_UP_SKIPPED),
            achieved(plan, replied, scheduled, records.lastAnswerNs() - startNs - schedule.timeNs(plan.warmUpCount())),
            ages);
    }

    private static double achieved(
        final LoadPlan plan, final long replied, final long scheduled, final long lastAnswerNs)
    {
        return 0 == replied ? 0 : replied * 1e9 / Math.max(lastAnswerNs, scheduled * 1e9 / plan.ratePerSecond());
    }
}
