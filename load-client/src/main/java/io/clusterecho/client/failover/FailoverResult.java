package io.clusterecho.client.failover;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.clusterecho.client.audit.AuditReport;
import io.clusterecho.client.load.LoadOutcome;

/**
 * What a failover test came to.
 *
 * @param plan          of it.
 * @param cycles        that were run.
 * @param timelines     of those cycles that had a victim, in order.
 * @param outcome       of the load, over all of them.
 * @param isExactlyOnce whether the client sent again what was not acknowledged.
 * @param audit         of the members' logs against the client's journal.
 * @param outageBoundNs longest outage after a SIGKILL of the leader that the timeouts allow for, in ns.
 * @param isPartial     whether it was ended before its last cycle.
 */
public record FailoverResult(
    FailoverPlan plan,
    List<Cycle> cycles,
    List<CycleTimeline> timelines,
    LoadOutcome outcome,
    boolean isExactlyOnce,
    AuditReport audit,
    long outageBoundNs,
    boolean isPartial)
{
    /**
     * Smallest, middle and largest of some times, by the nearest rank.
     *
     * @param count  of values.
     * @param min    smallest, in ns.
     * @param median in ns.
     * @param p90    in ns.
     * @param max    largest, in ns.
     */
    public record Spread(int count, long min, long median, long p90, long max)
    {
        /**
         * Of values.
         *
         * @param valuesNs in ns; negative ones, which stand for "did not happen", are left out.
         * @return the spread; all zero when nothing is left.
         */
        public static Spread of(final long... valuesNs)
        {
            final long[] sorted = Arrays.stream(valuesNs).filter((value) -> value >= 0).sorted().toArray();
            return 0 == sorted.length ? new Spread(0, 0, 0, 0, 0) :
                new Spread(
                    sorted.length, sorted[0], rank(sorted, 0.5), rank(sorted, 0.9), sorted[sorted.length - 1]);
        }

        private static long rank(final long[] sorted, final double share)
        {
            return sorted[(int)Math.ceil(share * sorted.length) - 1];
        }
    }

    /**
     * Outages of all valid cycles.
     *
     * @return their spread in ns.
     */
    public Spread outages()
    {
        return Spread.of(cycles.stream().filter(Cycle::isValid).mapToLong(Cycle::outageNs).toArray());
    }

    /**
     * When a phase was reached in all valid cycles in which it was.
     *
     * @param phase to look up.
     * @return the spread in ns after the fault.
     */
    public Spread phase(final Cycle.Phase phase)
    {
        return Spread.of(
            cycles.stream().filter(Cycle::isValid).mapToLong((cycle) -> cycle.phaseNs(phase)).toArray());
    }

    /**
     * Response times of all valid cycles together, by the stage in which messages were due.
     *
     * @return those stages in which a message was due.
     */
    public Map<CycleTimeline.Stage, CycleTimeline.StageTimes> stages()
    {
        final Map<CycleTimeline.Stage, CycleTimeline.StageTimes> sums = new EnumMap<>(CycleTimeline.Stage.class);
        timelines.stream().filter((timeline) -> timeline.cycle().isValid()).forEach((timeline) ->
            timeline.stages().forEach((stage, times) -> sums.merge(stage, times, CycleTimeline.StageTimes::plus)));
        return sums;
    }

    /**
     * The verdict in one word.
     *
     * @return GOOD, PARTIAL or FAILED.
     */
    public String verdict()
    {
        return !reasons().isEmpty() ? "FAILED" : isPartial ? "PARTIAL" : "GOOD";
    }

    /**
     * Acknowledged messages that the members' logs do not hold, or that the service asked for again.
     *
     * @return the count.
     */
    public long acknowledgedLost()
    {
        return Math.max(audit.journal().acknowledgedLost(), outcome.forgotten());
    }

    /**
     * Messages that were applied more than once.
     *
     * @return the count.
     */
    public long appliedTwice()
    {
        return Math.max(audit.journal().appliedTwice(), outcome.duplicates());
    }

    /**
     * Why the test failed.
     *
     * @return a sentence each; empty if it did not.
     */
    public List<String> reasons()
    {
        final List<String> reasons = new ArrayList<>();
        cycles.stream().filter((cycle) -> !cycle.problem().isEmpty())
            .forEach((cycle) -> reasons.add("cycle " + cycle.number() + ": " + cycle.problem()));
        cycles.stream().filter((cycle) -> cycle.echoesWithoutQuorum() > 0)
            .forEach((cycle) -> reasons.add(
                "cycle " + cycle.number() + ": " + cycle.echoesWithoutQuorum() + " echoes while there was no quorum"));
        if (acknowledgedLost() > 0)
        {
            reasons.add(acknowledgedLost() + " acknowledged messages were lost");
        }
        if (appliedTwice() > 0)
        {
            reasons.add(appliedTwice() + " messages were applied twice");
        }
        if (isExactlyOnce && outcome.lost() > 0)
        {
            reasons.add(outcome.lost() + " messages without a reply at the end");
        }
        if (outcome.corrupt() > 0)
        {
            reasons.add(outcome.corrupt() + " corrupt replies");
        }
        if (!audit.isClean())
        {
            reasons.add("the audit has " + audit.findingCount() + " finding(s), the first: " + audit.findings().get(0).text());
        }

        return reasons;
    }
}
