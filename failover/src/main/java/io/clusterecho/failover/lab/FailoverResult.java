package io.clusterecho.failover.lab;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

import io.clusterecho.control.member.ElectionWatch;
import io.clusterecho.failover.audit.AuditReport;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.FailoverAccount;
import io.clusterecho.statistics.NearestRank;

/**
 * The result of a failover test, as far as it is known.
 *
 * @param cycles        that were run; completed by what the other components know of them.
 * @param timelines     of the cycles whose fault was injected, in order; empty until they are made.
 * @param outcome       of the load over all cycles; null until it ends.
 * @param isExactlyOnce whether the client resent unacknowledged messages.
 * @param audit         of the members' logs; null until it is done.
 * @param bounds        of outages, by the timeouts of the cluster.
 * @param rollout       whose steps the cycles are, null for other tests.
 * @param returns       when the sessions of the load were back, by the number of the cycle; empty until the journal is read.
 */
public record FailoverResult(
    FailoverPlan plan,
    List<Cycle> cycles,
    List<CycleTimeline> timelines,
    LoadOutcome outcome,
    boolean isExactlyOnce,
    AuditReport audit,
    OutageBounds bounds,
    RolloutResult rollout,
    Map<Integer, Cycle.Sessions> returns)
{
    /** Completes the cycles. */
    public FailoverResult
    {
        cycles = cycles.stream().map((cycle) ->
        {
            final Optional<CycleTimeline> timeline =
                timelines.stream().filter((one) -> one.cycle().number() == cycle.number()).findFirst();
            return cycle.with(
                bounds.expectedNs(cycle), timeline.map((one) -> stored(one.stages())).orElse(null),
                timeline.map(CycleTimeline::returning).map(CycleTimeline.PartTimes::stored).orElse(null),
                returns.get(cycle.number()));
        }).toList();
    }

    /** A result without the returns of sessions. */
    FailoverResult(
        final FailoverPlan plan,
        final List<Cycle> cycles,
        final List<CycleTimeline> timelines,
        final LoadOutcome outcome,
        final boolean isExactlyOnce,
        final AuditReport audit,
        final OutageBounds bounds,
        final RolloutResult rollout)
    {
        this(plan, cycles, timelines, outcome, isExactlyOnce, audit, bounds, rollout, Map.of());
    }

    /** The result of a test without a rollout, and without the returns of sessions. */
    public FailoverResult(
        final FailoverPlan plan,
        final List<Cycle> cycles,
        final List<CycleTimeline> timelines,
        final LoadOutcome outcome,
        final boolean isExactlyOnce,
        final AuditReport audit,
        final OutageBounds bounds)
    {
        this(plan, cycles, timelines, outcome, isExactlyOnce, audit, bounds, null, Map.of());
    }

    /**
     * Distribution of times, by nearest rank.
     *
     * @param min    in ns.
     * @param median in ns.
     * @param p90    in ns.
     * @param max    in ns.
     */
    public record Spread(int count, long min, long median, long p90, long max)
    {
        /**
         * Compute the spread of values.
         *
         * @param valuesNs in ns; negative values mean "did not happen" and are skipped.
         * @return all zero if there are no other values.
         */
        public static Spread of(final long... valuesNs)
        {
            return ofAll(Arrays.stream(valuesNs).filter((value) -> value >= 0));
        }

        private static Spread ofAll(final LongStream valuesNs)
        {
            final long[] sorted = valuesNs.sorted().toArray();
            return 0 == sorted.length ? new Spread(0, 0, 0, 0, 0) :
                new Spread(
                    sorted.length, sorted[0], sorted[NearestRank.index(sorted.length, NearestRank.MEDIAN)],
                    sorted[NearestRank.index(sorted.length, 90)], sorted[sorted.length - 1]);
        }
    }

    /** Outages of all valid cycles, in ns. */
    public Spread outages()
    {
        return Spread.of(cycles.stream().filter(Cycle::isValid).mapToLong(Cycle::outageNs).toArray());
    }

    /** When a phase was reached, over all valid cycles in which it was, in ns after the fault; the last echo may be before it. */
    public Spread phase(final Cycle.OutagePhase phase)
    {
        return Spread.ofAll(
            cycles.stream().filter((cycle) -> cycle.isValid() && cycle.phases().containsKey(phase))
            .mapToLong((cycle) -> cycle.phaseNs(phase)));
    }

    /** Response times of all valid cycles together, by the part in which messages were due; without parts in which none was. */
    public Map<CycleTimeline.Part, CycleTimeline.PartTimes> stages()
    {
        final Map<CycleTimeline.Part, CycleTimeline.PartTimes> sums = new EnumMap<>(CycleTimeline.Part.class);
        timelines.stream().filter((timeline) -> timeline.cycle().isValid()).forEach((timeline) ->
            timeline.stages().forEach((stage, times) -> sums.merge(stage, times, CycleTimeline.PartTimes::plus)));
        return sums;
    }

    /** Maximum error of the outages of all valid cycles, in ns, in either direction. */
    public long outageResolutionNs()
    {
        return cycles.stream().filter(Cycle::isValid).mapToLong(Cycle::outageResolutionNs).max().orElse(0);
    }

    /** Maximum error of the times of a phase, over all valid cycles in which it was reached, in ns, in either direction. */
    public long resolutionNs(final Cycle.OutagePhase phase)
    {
        return cycles.stream().filter((cycle) -> cycle.isValid() && cycle.phases().containsKey(phase))
            .mapToLong((cycle) -> switch (phase.source())
            {
                case ECHOES -> cycle.outageResolutionNs();
                case COUNTERS -> ElectionWatch.LOOK_INTERVAL_NS;
                case POLLS -> FailoverLab.POLL_INTERVAL_NS;
            }).max().orElse(0);
    }

    /** Acknowledged messages that are not in the log of the majority, or that the service requested again. */
    public long acknowledgedLost()
    {
        return Math.max(
            null == audit ? 0 : audit.journal().acknowledgedLost(), null == outcome ? 0 : outcome.forgotten());
    }

    /** Messages that were applied more than once. */
    public long appliedTwice()
    {
        return Math.max(null == audit ? 0 : audit.journal().appliedTwice(), null == outcome ? 0 : outcome.duplicates());
    }

    /** The numbers that decide the verdict. */
    public FailoverAccount account()
    {
        return new FailoverAccount(
            isExactlyOnce,
            cycles,
            cycles.stream().filter(Cycle::isValid).map(Cycle::outageNs).toList(),
            null != audit, acknowledgedLost(), appliedTwice(),
            null == audit ? 0 : audit.findingCount(), null == audit || audit.isClean() ? "" : audit.findings().get(0).text());
    }

    /** As in JSON, by the names of the parts. */
    static Map<String, Cycle.PartTimes> stored(final Map<CycleTimeline.Part, CycleTimeline.PartTimes> parts)
    {
        final Map<String, Cycle.PartTimes> all = new LinkedHashMap<>();
        parts.forEach((part, times) -> all.put(part.key(), times.stored()));
        return all;
    }
}
