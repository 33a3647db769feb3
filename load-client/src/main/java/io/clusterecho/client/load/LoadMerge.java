package io.clusterecho.client.load;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.RunPhase;

/**
 * Merges the measurements of several clients that share one schedule, by interval and as a whole. Histograms are added, never
 * percentiles; counts are summed, except changes of leader, which all clients see. One thread.
 */
public final class LoadMerge
{
    private static final Counter[] COUNTERS = Counter.values();

    private final LoadPlan plan;
    private final Schedule schedule;
    private final LoadInterval[] shares;
    private final RunPhase[] phases;
    private final LoadTotals[] totalsOfShares;
    private final LoadOutcome[] outcomes;
    private final boolean[] isLost;
    private final boolean[] isEnded;
    private final LoadTotals totals = new LoadTotals();
    private final LoadInterval whole = new LoadInterval();

    /**
     * An empty merge.
     *
     * @param clientCount  clients that share the schedule.
     * @param startEpochMs when message 0 is due, on the clock of this machine.
     */
    public LoadMerge(final LoadPlan plan, final Schedule schedule, final int clientCount, final long startEpochMs)
    {
        this.plan = plan;
        this.schedule = schedule;
        shares = new LoadInterval[clientCount];
        phases = new RunPhase[clientCount];
        totalsOfShares = new LoadTotals[clientCount];
        outcomes = new LoadOutcome[clientCount];
        isLost = new boolean[clientCount];
        isEnded = new boolean[clientCount];
        for (int i = 0; i < clientCount; i++)
        {
            shares[i] = new LoadInterval();
            shares[i].startEpochMs = startEpochMs;
            totalsOfShares[i] = new LoadTotals();
            shares[i].total = totalsOfShares[i].responseTimes();
        }
        Arrays.fill(phases, plan.warmUpCount() > 0 ? RunPhase.WARM_UP : RunPhase.MEASURE);
        whole.startEpochMs = startEpochMs;
        whole.total = totals.responseTimes();
    }

    /** The interval object of a client, the same each time, to be filled before merging. */
    public LoadInterval share(final int client)
    {
        return shares[client];
    }

    /**
     * Merge one interval of each client.
     *
     * @param isPresent by client, whether its interval was filled again; a client that is done or lost has no more.
     * @param nowNs     end of the interval if no client has one, since the start of the schedule.
     * @return the merged interval; valid until the next call.
     */
    public LoadInterval merge(final boolean[] isPresent, final long nowNs)
    {
        whole.beginNs = whole.endNs;
        whole.endNs = 0;
        whole.measuredNs = 0;
        whole.leaderMemberId = -1;
        whole.responseTimes.reset();
        whole.serviceTimes.reset();
        whole.sendDelays.reset();
        whole.receiveLateness.reset();
        whole.clientParts.reset();
        whole.warmUpResponseTimes.reset();
        whole.stalls.reset();
        for (int i = 0; i < shares.length; i++)
        {
            // A client that has ended waits for the others, whatever its last interval was.
            phases[i] = isEnded[i] ? RunPhase.DRAIN : phases[i];
            if (isPresent[i])
            {
                add(i, shares[i]);
            }
        }
        whole.endNs = Math.max(whole.beginNs, 0 == whole.endNs ? nowNs : whole.endNs);
        whole.ratePerSecondAsked = Math.round(schedule.ratePerSecond(whole.beginNs, whole.endNs));

        for (final Counter counter : COUNTERS)
        {
            long sum = 0;
            for (final LoadTotals reported : totalsOfShares)
            {
                sum = Counter.NEW_LEADERS == counter ? Math.max(sum, reported.count(counter)) : sum + reported.count(counter);
            }
            whole.counts[counter.ordinal()] = sum;
        }
        // The phase of the whole is that of the slowest client, and its end that of the last one.
        whole.phase = Arrays.stream(phases).min(Comparator.naturalOrder()).orElseThrow();
        whole.isLast = isAllEnded();
        totals.add(whole);
        return whole;
    }

    private void add(final int client, final LoadInterval share)
    {
        share.ratePerSecondAsked = Math.round(schedule.ratePerSecond(share.beginNs, share.endNs));
        totalsOfShares[client].add(share);
        phases[client] = isLost[client] ? RunPhase.DRAIN : share.phase;
        isEnded[client] |= share.isLast;
        whole.endNs = Math.max(whole.endNs, share.endNs);
        whole.measuredNs = Math.max(whole.measuredNs, share.measuredNs);
        whole.leaderMemberId = whole.leaderMemberId < 0 ? share.leaderMemberId : whole.leaderMemberId;
        whole.responseTimes.add(share.responseTimes);
        whole.serviceTimes.add(share.serviceTimes);
        whole.sendDelays.add(share.sendDelays);
        whole.receiveLateness.add(share.receiveLateness);
        whole.clientParts.add(share.clientParts);
        whole.warmUpResponseTimes.add(share.warmUpResponseTimes);
        whole.stalls.add(share.stalls);
    }

    private boolean isAllEnded()
    {
        boolean isAll = true;
        for (final boolean isThisEnded : isEnded)
        {
            isAll &= isThisEnded;
        }

        return isAll;
    }

    /**
     * A client has reported the outcome of its messages.
     *
     * @param outcome of its share.
     */
    public void ended(final int client, final LoadOutcome outcome)
    {
        outcomes[client] = outcome;
    }

    /** A client will not report any more, so the whole does not wait for it. */
    public void lost(final int client)
    {
        isLost[client] = true;
        isEnded[client] = true;
        phases[client] = RunPhase.DRAIN;
    }

    /**
     * Account for the share of a lost client: messages that it did not report as answered count as without a reply.
     *
     * @param endNs    end of the run, since the start of the schedule.
     * @param isEarly  whether the schedule was cut short.
     * @param cutNs    if so, when, since the start of the schedule.
     */
    public void accountForLost(final int client, final long endNs, final boolean isEarly, final long cutNs)
    {
        long endCount = plan.messageCount();
        if (isEarly)
        {
            long low = 0;
            while (low < endCount)
            {
                final long middle = (low + endCount) >>> 1;
                if (schedule.timeNs(middle) <= cutNs)
                {
                    low = middle + 1;
                }
                else
                {
                    endCount = middle;
                }
            }
        }
        outcomes[client] = LoadAccounts.ofLost(
            plan.of(new Share(client, shares.length)), schedule, totalsOfShares[client], endNs, endCount);
    }

    /** Measurement of one client; call once, after it has ended or was accounted for. */
    public LoadMeasurement measurement(final int client)
    {
        return totalsOfShares[client].measurement(outcomes[client]);
    }

    /** Measurement of the whole schedule; call once, at the end. */
    public LoadMeasurement measurement()
    {
        return totals.measurement(LoadAccounts.sum(plan, schedule, List.of(outcomes)));
    }
}
