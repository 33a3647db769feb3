package io.clusterecho.failover.lab;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.clusterecho.failover.audit.AuditReport;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.results.FailoverAccount;
import io.clusterecho.statistics.NearestRank;

/**
 * What a failover test measured, as far as it is known.
 *
 * @param plan          of it.
 * @param cycles        that were run.
 * @param timelines     of those cycles that had a victim, in order; empty as long as they are not made.
 * @param outcome       of the load, over all of them; null as long as it goes on.
 * @param isExactlyOnce whether the client sent again what was not acknowledged.
 * @param audit         of the members' logs against the client's journal; null as long as there was none.
 * @param outageBoundNs longest outage after a SIGKILL of the leader that the timeouts allow for, in ns.
 */
public record FailoverResult(
    FailoverPlan plan,
    List<Cycle> cycles,
    List<CycleTimeline> timelines,
    LoadOutcome outcome,
    boolean isExactlyOnce,
    AuditReport audit,
    long outageBoundNs)
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
                    sorted.length, sorted[0], sorted[NearestRank.index(sorted.length, NearestRank.MEDIAN)],
                    sorted[NearestRank.index(sorted.length, 90)], sorted[sorted.length - 1]);
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
    public Spread phase(final Cycle.OutagePhase phase)
    {
        return Spread.of(
            cycles.stream().filter(Cycle::isValid).mapToLong((cycle) -> cycle.phaseNs(phase)).toArray());
    }

    /**
     * Response times of all valid cycles together, by the stage in which messages were due.
     *
     * @return those stages in which a message was due.
     */
    public Map<CycleTimeline.Part, CycleTimeline.PartTimes> stages()
    {
        final Map<CycleTimeline.Part, CycleTimeline.PartTimes> sums = new EnumMap<>(CycleTimeline.Part.class);
        timelines.stream().filter((timeline) -> timeline.cycle().isValid()).forEach((timeline) ->
            timeline.stages().forEach((stage, times) -> sums.merge(stage, times, CycleTimeline.PartTimes::plus)));
        return sums;
    }

    /**
     * By how much outages may be off.
     *
     * @return the largest of all valid cycles, in ns, in either direction.
     */
    public long outageResolutionNs()
    {
        return cycles.stream().filter(Cycle::isValid).mapToLong(Cycle::outageResolutionNs).max().orElse(0);
    }

    /**
     * By how much the times of a phase may be off.
     *
     * @param phase to look up.
     * @return the largest of all valid cycles in which it was reached, in ns, in either direction.
     */
    public long resolutionNs(final Cycle.OutagePhase phase)
    {
        return cycles.stream().filter((cycle) -> cycle.isValid() && cycle.phases().containsKey(phase))
            .mapToLong((cycle) -> cycle.resolutionNs(phase)).max().orElse(0);
    }

    /**
     * Acknowledged messages that the members' logs do not hold, or that the service asked for again.
     */
    public long acknowledgedLost()
    {
        return Math.max(
            null == audit ? 0 : audit.journal().acknowledgedLost(), null == outcome ? 0 : outcome.forgotten());
    }

    /**
     * Messages that were applied more than once.
     */
    public long appliedTwice()
    {
        return Math.max(null == audit ? 0 : audit.journal().appliedTwice(), null == outcome ? 0 : outcome.duplicates());
    }

    /**
     * What a verdict has to know.
     */
    public FailoverAccount account()
    {
        return new FailoverAccount(
            isExactlyOnce,
            cycles.stream().map(FailoverResult::account).toList(),
            cycles.stream().filter(Cycle::isValid).map(Cycle::outageNs).toList(),
            outageBoundNs, null != audit, acknowledgedLost(), appliedTwice(),
            null == audit ? 0 : audit.findingCount(), null == audit || audit.isClean() ? "" : audit.findings().get(0).text());
    }

    private static FailoverAccount.CycleAccount account(final Cycle cycle)
    {
        return new FailoverAccount.CycleAccount(
            cycle.number(), cycle.problem(), cycle.isInterrupted(), cycle.isQuorumLost(), cycle.echoesWithoutQuorum(),
            cycle.outageNs(), cycle.outageResolutionNs(), cycle.isSameLeader(), cycle.isLeaderKilled(),
            cycle.phaseNs(Cycle.OutagePhase.VICTIM_RETURNED));
    }
}
