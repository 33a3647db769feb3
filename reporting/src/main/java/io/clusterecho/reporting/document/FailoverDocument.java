package io.clusterecho.reporting.document;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.reporting.measurement.LoadOutcome;

import org.HdrHistogram.Histogram;

/**
 * A failover test: {@code failover.json} of its folder, and what {@code failover --json} prints. What is not known yet is null.
 */
public record FailoverDocument(
    String format, StoredVerdict verdict, String delivery,
    @JsonUnwrapped Load load,
    @JsonUnwrapped Proof proof,
    Audit audit, long outageBoundNs, Long outageResolutionNs, Spread outageNs, Map<String, Spread> phases,
    Map<String, Long> phaseResolutionNs, Map<String, StageTimes> responseTimeNs, List<Cycle> cycles, String commandLine,
    String resultFolder)
{
    /**
     * What became of the messages, as the client counted it.
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Load(
        Long scheduled, Long resent, Long repeated, Long late, Long unanswered, Long neverSent, Long gaps, Long reconnects,
        Long newLeaders, Long boundWaits)
    {
        /**
         * Of a test.
         *
         * @param outcome of its load, or null while that runs.
         */
        public static Load of(final LoadOutcome outcome)
        {
            return null == outcome ? new Load(null, null, null, null, null, null, null, null, null, null) : new Load(
                outcome.scheduled(), outcome.resent(), outcome.repeated(), outcome.late(), outcome.unanswered(),
                outcome.neverSent(), outcome.gaps(), outcome.reconnects(), outcome.newLeaders(), outcome.boundWaits());
        }
    }

    /**
     * What journal and logs prove.
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Proof(
        Long acknowledged, Long acknowledgedLost, Long appliedTwice, Long unansweredInLog, Long unansweredLost)
    {
    }

    /**
     * What the audit found.
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Audit(Boolean clean, List<String> findings)
    {
    }

    /**
     * A time over the valid cycles, in ns.
     */
    public record Spread(int count, long min, long median, long p90, long max)
    {
    }

    /**
     * Response times of the messages that were due in a stage, in ns.
     */
    public record StageTimes(long count, long unanswered, @JsonUnwrapped Percentiles percentiles)
    {
        /**
         * Of a stage.
         *
         * @param times      of the messages that were answered, in ns.
         * @param unanswered messages.
         * @return what a document says of them.
         */
        public static StageTimes of(final Histogram times, final long unanswered)
        {
            return new StageTimes(times.getTotalCount(), unanswered, Percentiles.of(times));
        }
    }

    /**
     * When a cycle reached its phases, in ns after the fault; null for those that it did not.
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Phases(
        Long lastEchoNs, Long failureDetectedNs, Long electionStartNs, Long electionEndNs, Long newLeaderKnownNs,
        Long sessionUsableNs, Long firstEchoNs, Long backlogDrainedNs, Long victimReturnedNs, Long victimCaughtUpNs)
    {
    }

    /**
     * One fault.
     */
    public record Cycle(
        int cycle, String fault, List<Integer> victim, long startNs, boolean valid, boolean recovered, String problem,
        boolean quorumLost, Boolean interrupted, long outageNs, Long outageResolutionNs,
        @JsonUnwrapped Phases phases,
        long echoesWithoutQuorum, Integer leaderBefore, Integer leaderAfter, List<Integer> newLeaders,
        Map<String, StageTimes> responseTimeNs)
    {
        /**
         * Whether something about it needs a look.
         *
         * @return true if it says what.
         */
        public boolean isProblematic()
        {
            return null != problem && !problem.isEmpty();
        }
    }
}
