package io.clusterecho.reporting.document;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.statistics.NearestRank;

/**
 * A failover test: {@code failover.json} of its folder, and the output of {@code failover --json}. What is not yet known is null.
 *
 * @param life of the command life of earlier versions: purges, and disk use.
 */
public record FailoverDocument(
    String format, StoredVerdict verdict, String delivery,
    @JsonUnwrapped Load load,
    @JsonUnwrapped Proof proof,
    Audit audit, long outageBoundNs, Long outageResolutionNs, Spread outageNs, List<Kind> kinds,
    Map<String, Spread> phases,
    Map<String, Long> phaseResolutionNs, Map<String, Cycle.PartTimes> responseTimeNs, List<Cycle> cycles, Rollout rollout,
    JsonNode life, String commandLine, String resultFolder)
{
    /** Messages by outcome, as the client counted them. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Load(
        Long scheduled, Long resent, Long repeated, Long late, Long unanswered, Long neverSent, Long gaps, Long reconnects,
        Long newLeaders, Long boundWaits)
    {
        /** Accounts of the load, or null values while it runs. */
        public static Load of(final LoadOutcome outcome)
        {
            return null == outcome ? new Load(null, null, null, null, null, null, null, null, null, null) : new Load(
                outcome.of(Counter.SCHEDULED), outcome.of(Counter.RESENT), outcome.of(Counter.REPEATED), outcome.of(Counter.LATE),
                outcome.of(Counter.UNANSWERED),
                outcome.of(Counter.NEVER_SENT), outcome.of(Counter.GAPS), outcome.of(Counter.RECONNECTS),
                outcome.of(Counter.NEW_LEADERS), outcome.of(Counter.BOUND_WAITS));
        }
    }

    /** Results from journal and logs; what was purged, so that a snapshot only counts it, or nothing, only if there was some. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Proof(
        Long acknowledged, Long acknowledgedLost, @JsonInclude(JsonInclude.Include.NON_NULL) Long acknowledgedPurged,
        Long appliedTwice, Long unansweredInLog, Long unansweredLost)
    {
    }

    /** Findings of the audit, and its notes, which earlier versions had only in its own document. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Audit(Boolean clean, List<String> findings, @JsonInclude(JsonInclude.Include.NON_NULL) List<String> notes)
    {
    }

    /** A time over several cycles in ns, by nearest rank; all zero without cycles. */
    public record Spread(int count, long min, long median, long p90, long max)
    {
        public static Spread of(final LongStream valuesNs)
        {
            final long[] sorted = valuesNs.sorted().toArray();
            return 0 == sorted.length ? new Spread(0, 0, 0, 0, 0) : new Spread(
                sorted.length, sorted[0], sorted[NearestRank.index(sorted.length, NearestRank.MEDIAN)],
                sorted[NearestRank.index(sorted.length, 90)], sorted[sorted.length - 1]);
        }
    }

    /**
     * Outages of the valid cycles with one fault and one expectation.
     *
     * @param expectation stated before.
     * @param beyond      number of outages longer than expected.
     */
    public record Kind(String fault, String expectation, Spread outageNs, long beyond)
    {
    }

    /** Version of a program, and the commit that it was built from. */
    public record Version(String version, String commit, String aeron)
    {
    }

    /**
     * A rollout, whose steps are the cycles.
     *
     * @param andBack   whether it was replaced by the first one again.
     * @param outageNs  sum of the outages of all steps, in ns.
     */
    public record Rollout(Version from, Version to, boolean andBack, int stepCount, long outageNs, List<Step> steps)
    {
    }

    /**
     * A step of a rollout.
     *
     * @param memberId       of the member that was started from another jar.
     * @param leader         whether it led before.
     * @param before         version that it ran before.
     * @param after          version of the jar that it was started from.
     * @param running        version that it has reported since, null if none.
     * @param snapshotLoadNs time in which it loaded the snapshot of the version before, in ns; null if it loaded none.
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Step(
        int cycle, int memberId, boolean leader, Version before, Version after, Version running, Long snapshotLoadNs)
    {
    }
}
