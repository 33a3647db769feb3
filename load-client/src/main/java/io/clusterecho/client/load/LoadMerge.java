package io.clusterecho.client.load;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Counts;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.RunPhase;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.settings.IllegalArgument;

import org.HdrHistogram.Histogram;

/**
 * Merges the measurements of several clients that share one schedule, by interval and as a whole. Histograms are added, never
 * percentiles; counts are summed, except changes of leader, which all clients see. One thread.
 */
public final class LoadMerge
{
    private final LoadPlan plan;
    private final Schedule schedule;
    private final long startEpochMs;
    private final List<Part> parts;
    private final LoadAccounts.Totals totals = new LoadAccounts.Totals();
    private final Histograms times = new Histograms();
    private final Histogram warmUpResponseTimes = TimeRecorder.newHistogram();

    /** What one client reported. */
    private final class Part
    {
        private final LoadAccounts.Totals totals = new LoadAccounts.Totals();
        private RunInterval interval;
        private RunPhase phase = plan.warmUpCount() > 0 ? RunPhase.WARM_UP : RunPhase.MEASURE;
        private LoadOutcome outcome;
        private boolean isLost;
        private boolean isEnded;
    }

    /** An empty merge; message 0 is due at {@code startEpochMs} on the clock of this machine. */
    public LoadMerge(final LoadPlan plan, final Schedule schedule, final int clientCount, final long startEpochMs)
    {
        this.plan = plan;
        this.schedule = schedule;
        this.startEpochMs = startEpochMs;
        parts = Stream.generate(Part::new).limit(clientCount).toList();
    }

    /** Take a client's next interval; returned with start and rate of the schedule. Fails for times that no client measures. */
    public RunInterval take(final int client, final RunInterval reported)
    {
        new Histograms().add(reported.times()).of(Time.RESPONSE).add(reported.warmUpResponseTimes());
        final Part part = parts.get(client);
        part.interval = reported.with(
            startEpochMs, Math.round(schedule.ratePerSecond(reported.beginNs(), reported.endNs())),
            part.totals.times.of(Time.RESPONSE));
        return part.interval;
    }

    /**
     * Merge the intervals that were taken since the last call; a client that is done or lost has no more.
     *
     * @param nowNs end of the interval if no client has one, since the start of the schedule.
     * @return the merged interval; valid until the next call.
     */
    public RunInterval merge(final long nowNs)
    {
        final long beginNs = totals.endNs;
        final Counts counts = new Counts();
        long endNs = 0;
        long measuredNs = 0;
        int leaderMemberId = -1;
        times.reset();
        warmUpResponseTimes.reset();
        for (final Part part : parts)
        {
            final RunInterval share = part.interval;
            part.interval = null;
            // A client that has ended waits for the others, whatever its last interval was.
            part.phase = part.isEnded ? RunPhase.DRAIN : part.phase;
            if (null != share)
            {
                part.totals.add(share);
                part.phase = part.isLost ? RunPhase.DRAIN : share.phase();
                part.isEnded |= share.isLast();
                endNs = Math.max(endNs, share.endNs());
                measuredNs = Math.max(measuredNs, share.measuredNs());
                leaderMemberId = leaderMemberId < 0 ? share.leaderMemberId() : leaderMemberId;
                times.add(share.times());
                warmUpResponseTimes.add(share.warmUpResponseTimes());
            }
            counts.add(part.totals.counts);
        }
        endNs = Math.max(beginNs, 0 == endNs ? nowNs : endNs);

        // The phase of the whole is that of the slowest client, and its end that of the last one.
        final RunInterval whole = new RunInterval(
            parts.stream().map((part) -> part.phase).min(Comparator.naturalOrder()).orElseThrow(),
            parts.stream().allMatch((part) -> part.isEnded), startEpochMs, beginNs, endNs, measuredNs,
            Math.round(schedule.ratePerSecond(beginNs, endNs)), leaderMemberId, counts, counts.since(totals.counts), times,
            warmUpResponseTimes, totals.times.of(Time.RESPONSE));
        totals.add(whole);
        return whole;
    }

    /** A client has ended, early or not; an {@link IllegalArgumentException} says what its outcome does not account for. */
    public void ended(final int client, final LoadOutcome outcome, final boolean isEarly)
    {
        final long scheduled = outcome.of(Counter.SCHEDULED);
        final long accounted = outcome.replied() + outcome.lost();
        IllegalArgument.throwIf(
            accounted != scheduled, "its accounts do not add up: scheduled=" + scheduled + ", accounted for=" + accounted);
        final long planned = new Share(client, parts.size()).countOf(plan.warmUpCount(), plan.messageCount());
        IllegalArgument.throwIf(
            !isEarly && planned != scheduled, "its accounts are of " + scheduled + " messages, but its share is " + planned);
        parts.get(client).outcome = outcome;
    }

    /** A client will not report any more, so the whole does not wait for it. */
    public void lost(final int client)
    {
        final Part part = parts.get(client);
        part.isLost = true;
        part.isEnded = true;
        part.phase = RunPhase.DRAIN;
    }

    /** Replies to measured messages in the intervals of a client. */
    public long replyCount(final int client)
    {
        return parts.get(client).totals.times.of(Time.RESPONSE).getTotalCount();
    }

    /**
     * Account for the share of a lost client: messages that it did not report as answered count as without a reply.
     *
     * @param endNs     end of the run, since the start of the schedule.
     * @param requestNs when the end was requested, if it was; the share ends then, but not before the last message reported.
     */
    public void accountForLost(final int client, final long endNs, final boolean isEarly, final long requestNs)
    {
        final Part part = parts.get(client);
        final Share share = new Share(client, parts.size());
        long endCount = plan.messageCount();
        if (isEarly)
        {
            final long sentCount = part.totals.times.of(Time.SEND_DELAY).getTotalCount();
            final long lastIndex = (share.countOf(0, plan.warmUpCount()) + sentCount - 1) * share.count() + client;
            final long cutNs = 0 == sentCount ? requestNs : Math.max(requestNs, schedule.timeNs(lastIndex));
            endCount = schedule.firstDueFrom(cutNs + 1, endCount);
        }
        part.outcome = LoadAccounts.ofLost(plan.of(share), schedule, part.totals, endNs, endCount);
    }

    /** Measurement of one client; call once, after it has ended or was accounted for. */
    public LoadMeasurement measurement(final int client)
    {
        final Part part = parts.get(client);
        return part.totals.measurement(part.outcome);
    }

    /** Measurement of the whole schedule; call once, at the end. */
    public LoadMeasurement measurement()
    {
        return totals.measurement(LoadAccounts.sum(plan, schedule, parts.stream().map((part) -> part.outcome).toList()));
    }
}
