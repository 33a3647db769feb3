package io.clusterecho.client.load;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.clusterecho.attribution.SlowMessage;
import io.clusterecho.attribution.SlowestMessages;
import io.clusterecho.attribution.StageTimes;
import io.clusterecho.client.record.Ledger;
import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Counts;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.KindOutcome;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.HdrHistogram.Histogram;

/** Accounts for every message of a schedule after a run: of one client, of several together, and of one that was lost. */
final class LoadAccounts
{
    /**
     * Account for the messages of a client that finished: four classes, which add up to the messages scheduled. Both times are on
     * one clock.
     */
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
        final SlowestMessages unanswered = new SlowestMessages();
        final List<KindOutcome> kinds =
            Stream.of(records.kinds).map((kind) -> LoadRecords.none(kind.kind()).add(kind)).toList();
        final Counts counts = records.counts();
        for (final LoadSession session : sessions)
        {
            for (long index = session.firstMeasured(); index < session.endIndex; index += plan.stride())
            {
                counts.increment(Counter.SCHEDULED);
                final boolean isSent = index < session.nextIndex;
                if (isSent && ledger.isAnswered(index))
                {
                    continue;
                }
                final Counter outcome = isSent ? Counter.UNANSWERED : Counter.NEVER_SENT;
                counts.increment(outcome);
                final long ageNs = TimeRecorder.bounded(endNs - startNs - schedule.timeNs(index));
                ages.recordValue(ageNs);
                final long sentNs = ledger.sendTimeNs(index);
                final long sinceSentNs = !isSent ? 0 : Ledger.UNKNOWN == sentNs ? ageNs : endNs - sentNs;
                final boolean isHeldUp = isSent ? ledger.isHeldUp(index) : session.isHeldUp;
                unanswered.add(
                    index, schedule.timeNs(index), ageNs, sinceSentNs, isHeldUp ? 0 : ageNs - sinceSentNs,
                    SlowestMessages.UNKNOWN_NS, false);
                if (!kinds.isEmpty())
                {
                    LoadRecords.record(kinds.get(plan.messages().kindOf(index)), outcome, ageNs);
                }
            }
        }

        final long replied = counts.of(Counter.ANSWERED) + counts.of(Counter.LATE);
        final long lastAnswerNs =
            0 == replied ? 0 : Math.max(0, records.lastAnswerNs - startNs - schedule.timeNs(plan.warmUpCount()));
        return new LoadOutcome(
            counts, achieved(plan, schedule, counts, lastAnswerNs), lastAnswerNs, ages, records.stages, kinds,
            List.of(records.replies), SlowMessage.slowest(List.of(records.slowest(true).list(), unanswered.list())));
    }

    /** Accounts of several clients that shared one schedule. The achieved rate is that of all replies up to the last. */
    static LoadOutcome sum(final LoadPlan plan, final Schedule schedule, final List<LoadOutcome> shares)
    {
        final Histogram ages = TimeRecorder.newHistogram();
        final Counts counts = new Counts();
        for (final LoadOutcome share : shares)
        {
            ages.add(share.unansweredAges());
            counts.add(share.counts());
        }
        final long lastAnswerNs = shares.stream().mapToLong(LoadOutcome::lastAnswerNs).max().orElse(0);
        return new LoadOutcome(
            counts, achieved(plan, schedule, counts, lastAnswerNs), lastAnswerNs, ages,
            shares.stream().map(LoadOutcome::stages).filter(Objects::nonNull)
                .reduce((sum, share) -> new StageTimes().add(sum).add(share)).orElse(null),
            sumOfKinds(shares, LoadOutcome::kinds),
            // A client that was lost reported none of its own.
            sumOfKinds(shares.stream().filter((share) -> !share.replies().isEmpty()).toList(), LoadOutcome::replies),
            SlowMessage.slowest(shares.stream().map(LoadOutcome::slowest).toList()));
    }

    /**
     * Accounts of a lost client's share, from what it reported. Messages that it did not report as answered count as without a
     * reply; since it is unknown which these are, the newest are assumed.
     *
     * @param reported by the client, up to its last interval.
     * @param endNs    end of the run, since the start of the schedule.
     * @param endCount messages of the whole schedule that were due: fewer than planned if it ended early.
     */
    static LoadOutcome ofLost(
        final LoadPlan plan, final Schedule schedule, final Totals reported, final long endNs, final long endCount)
    {
        final Histogram ages = TimeRecorder.newHistogram();
        final Share share = plan.share();
        final long end = Math.max(plan.warmUpCount(), endCount);
        final long scheduled = share.countOf(plan.warmUpCount(), end);
        final long replied = Math.min(scheduled, reported.times.of(Time.RESPONSE).getTotalCount());
        final long sent = Math.min(scheduled, Math.max(replied, reported.times.of(Time.SEND_DELAY).getTotalCount()));
        final long late = Math.min(replied, reported.counts.of(Counter.LATE));
        long left = scheduled - replied;
        for (long index = end - 1; left > 0; index--)
        {
            if (share.number() == index % share.count())
            {
                ages.recordValue(TimeRecorder.bounded(endNs - schedule.timeNs(index)));
                left--;
            }
        }
        final long lastAnswerNs = 0 == replied ? 0 : Math.max(0, reported.endNs - schedule.timeNs(plan.warmUpCount()));
        final Counts counts = reported.counts.copy().set(Counter.SCHEDULED, scheduled)
            .set(Counter.ANSWERED, replied - late).set(Counter.LATE, late)
            .set(Counter.UNANSWERED, sent - replied).set(Counter.NEVER_SENT, scheduled - sent);
        return new LoadOutcome(
            counts, achieved(plan, schedule, counts, lastAnswerNs), lastAnswerNs, ages, null, List.of(), List.of(), null);
    }

    /** Outcomes by kind, or none if a client did not report its own. */
    private static List<KindOutcome> sumOfKinds(
        final List<LoadOutcome> shares, final Function<LoadOutcome, List<KindOutcome>> kinds)
    {
        return shares.stream().map(kinds).reduce((sum, share) -> sum.size() != share.size() ? List.of() :
            IntStream.range(0, sum.size()).mapToObj((i) -> sum.get(i).add(share.get(i))).toList()).orElse(List.of());
    }

    /**
     * Time in which measured messages of a share were due, without the chance in drawn times: that of its whole window, or if
     * fewer were scheduled because the schedule ended early, up to when the next one would have been due.
     */
    static double windowNs(final LoadPlan plan, final Schedule schedule, final long scheduled)
    {
        final int shareCount = plan.share().count();
        if (scheduled < plan.share().countOf(plan.warmUpCount(), plan.messageCount()))
        {
            final long next = Math.min(plan.messageCount(), plan.warmUpCount() + scheduled * shareCount);
            return schedule.meanTimeNs(next) - schedule.meanTimeNs(plan.warmUpCount());
        }

        return 0 == scheduled ? 0 : (double)scheduled * shareCount / plan.measuredCount() * plan.measuredNs();
    }

    /**
     * Replies per second up to the last, or in the window if that is longer. By how much drawn times make the window longer or
     * shorter is chance, which neither misses nor exceeds the target rate, and does not count.
     */
    private static double achieved(
        final LoadPlan plan, final Schedule schedule, final Counts counts, final long lastAnswerNs)
    {
        final long scheduled = counts.of(Counter.SCHEDULED);
        final long replied = counts.of(Counter.ANSWERED) + counts.of(Counter.LATE);
        if (0 == replied)
        {
            return 0;
        }

        final long first = plan.warmUpCount();
        final long next = Math.min(plan.messageCount(), first + scheduled * plan.share().count());
        final long chanceNs = schedule.timeNs(next) - schedule.timeNs(first) -
            (schedule.meanTimeNs(next) - schedule.meanTimeNs(first));
        return replied * 1e9 / Math.max(lastAnswerNs - chanceNs, windowNs(plan, schedule, scheduled));
    }

    /** Totals over the intervals of a run. For the thread that watches the run. */
    static final class Totals
    {
        /** Times of answered measured messages. */
        final Histograms times = new Histograms();
        /** Counts up to the end of the last interval. */
        Counts counts = new Counts();
        /** End of the last interval, since the start of the schedule. */
        long endNs;

        void add(final RunInterval interval)
        {
            interval.addTo(times);
            counts = interval.totals();
            endNs = interval.endNs();
        }

        /** The measurement; call once, at the end. */
        LoadMeasurement measurement(final LoadOutcome outcome)
        {
            return new LoadMeasurement(outcome, times.add(Time.RESPONSE, outcome.unansweredAges()));
        }
    }
}
