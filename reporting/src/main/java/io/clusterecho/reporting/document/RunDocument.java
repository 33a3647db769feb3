package io.clusterecho.reporting.document;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.FanOutOutcome;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.KindOutcome;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.Stage;
import io.clusterecho.reporting.measurement.StageTimes;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.BackupLag;
import io.clusterecho.reporting.results.CalibrationNote;
import io.clusterecho.reporting.results.ChurnCost;
import io.clusterecho.reporting.results.ClientRecord;
import io.clusterecho.reporting.results.ClientShare;
import io.clusterecho.reporting.results.CpuCost;
import io.clusterecho.reporting.results.Diagnosis;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.FloorRatio;
import io.clusterecho.reporting.results.Overload;
import io.clusterecho.reporting.results.RunConfidence;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.SnapshotCost;
import io.clusterecho.reporting.results.RateStep;
import io.clusterecho.reporting.results.SteadyState;
import io.clusterecho.reporting.results.TailCause;
import io.clusterecho.reporting.results.VaryingResult;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.reporting.results.WindowEnds;

/** A run: {@code manifest.json} of its folder, and the output of {@code --json}. */
public record RunDocument(
    String format, String label, String start, StoredVerdict verdict,
    @JsonUnwrapped Accounts accounts,
    Long duplicates, Long outOfOrder, Long corrupt, Long backPressured, Long disconnected, Long newLeaders, Long reconnects,
    Long resent, Long repeated, Long gaps, Long forgotten, Long boundWaits, Long warmUpSkipped, Long ratePerSecondAsked,
    Double ratePerSecondAchieved, Long clientCeilingPerSecond, CalibrationNote calibration,
    @JsonUnwrapped Floor floor,
    Times responseTimeNs, Times serviceTimeNs, Times sendDelayNs, Times receiveLatenessNs, ClientShare clientTail,
    Times stallNs, Stages stages,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Kind> kinds, FanOut fanOut, Cpu cpuSecondsPerMillion,
    Diagnosis diagnosis, SteadyState steadyState, WindowEnds.WarmUp warmUp, WindowEnds.Until until, Snapshots snapshots,
    BackupLag backup, Churn churn, Overload overload, @JsonInclude(JsonInclude.Include.NON_EMPTY) List<RateStep> rateSteps,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ClientDocument> clients,
    @JsonUnwrapped Circumstances circumstances)
{
    /** The median compared with the floor, or why no floor is known. */
    public record Floor(
        Long floorNs, Double floorRatio, Long spinningFloorNs, Double spinningFloorRatio, Long floorSyncNs, String baseline,
        String floorMissing)
    {
        static Floor of(final FloorRatio floor)
        {
            return null == floor ? null : !floor.isKnown() ? new Floor(null, null, null, null, null, null, floor.missing()) :
                new Floor(
                floor.floorNs(), Documents.rounded(floor.ratio(), 2), floor.spinningFloorNs(),
                Documents.rounded(floor.spinningRatio(), 2), floor.syncNs(), floor.baseline(), null);
        }
    }

    /**
     * Messages of one kind: their accounts, each of which adds up to that of the run over all kinds, and their response times.
     */
    public record Kind(
        String name, int minLengthBytes, int maxLengthBytes, double ratePerSecondAsked, double ratePerSecondAchieved,
        @JsonUnwrapped Accounts accounts, Times responseTimeNs)
    {
        static Kind of(final KindOutcome kind, final LoadOutcome whole)
        {
            return new Kind(
                kind.kind().name(), kind.kind().minLengthBytes(), kind.kind().maxLengthBytes(),
                Documents.rounded(kind.kind().ratePerSecond(), 2), Documents.rounded(kind.ratePerSecondAchieved(whole), 2),
                Accounts.of(kind.counts()),
                Times.of(kind.responseTimes()));
        }
    }

    /** Stage times: how many replies had them, and the stages that occurred. */
    public record Stages(
        long told, long untold, long disagreeing, Times toLeaderNs, Times logNs, Times quorumNs, Times toServiceNs,
        Times toClientNs, Times bothWaysNs)
    {
        static Stages of(final StageTimes stages)
        {
            return null == stages ? null : new Stages(
                stages.stampedCount(), stages.unstampedCount(), stages.disagreeingCount(), times(stages, Stage.TO_LEADER),
                times(stages, Stage.LOG), times(stages, Stage.QUORUM), times(stages, Stage.TO_SERVICE),
                times(stages, Stage.TO_CLIENT), times(stages, Stage.BOTH_WAYS));
        }

        private static Times times(final StageTimes stages, final Stage stage)
        {
            return stages.stages().contains(stage) ? Times.of(stages.of(stage)) : null;
        }
    }

    /** Copies of the replies for receivers. */
    public record FanOut(
        List<FanOutOutcome.Receiver> receivers, long completed, long foreign, Times responseTimeNs, Times lastResponseTimeNs)
    {
        static FanOut of(final FanOutOutcome outcome)
        {
            return null == outcome ? null : new FanOut(
                outcome.receivers(), outcome.completed(), outcome.foreign(), Times.of(outcome.responseTimes()),
                Times.of(outcome.lastResponseTimes()));
        }
    }

    /**
     * Snapshots, from their requests until all members were seen to have them, in ns since the start of the schedule; response
     * times in intervals with a snapshot and in the others; pauses of the members' services.
     */
    public record Snapshots(
        List<SnapshotCost.Window> windows, Times responseTimeDuringNs, Times responseTimeApartNs,
        List<SnapshotCost.Pauses> pauses)
    {
        static Snapshots of(final SnapshotCost cost)
        {
            return null == cost ? null :
                new Snapshots(cost.windows(), Times.of(cost.during()), Times.of(cost.apart()), cost.pauses());
        }
    }

    /**
     * Sessions that came and went: stretches with churn in ns since the start of the schedule; their accounts; the largest
     * number open at once; time to connect; response times of the load in intervals with churn and in the others; cores that
     * the opening thread used; the cluster's own count; an entry for each interval; and the first message of each reason for
     * failures.
     */
    public record Churn(
        List<ChurnCost.Window> windows, Map<String, Long> sessions, long mostOpen, Times connectTimeNs,
        Times responseTimeDuringNs, Times responseTimeApartNs, double cores, ChurnCost.ClusterCount cluster,
        List<ChurnCost.Point> intervals, List<String> messages)
    {
        static Churn of(final ChurnCost cost)
        {
            if (null == cost)
            {
                return null;
            }

            final Map<String, Long> sessions = new LinkedHashMap<>();
            cost.counts().forEach((counter, count) -> sessions.put(key(counter.label()), count));
            return new Churn(
                cost.windows(), sessions, cost.mostOpen(), Times.of(cost.connect()), Times.of(cost.during()),
                Times.of(cost.apart()), Documents.rounded(cost.cores(), 3), cost.cluster(), cost.intervals(),
                cost.messages());
        }

        private static String key(final String label)
        {
            final StringBuilder key = new StringBuilder();
            for (final String word : label.split("_"))
            {
                key.append(key.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
            }
            return key.toString();
        }
    }

    /** Core seconds per million answers, as far as known. */
    public record Cpu(Double client, Double members, Double all)
    {
        static Cpu of(final CpuCost cost)
        {
            return new Cpu(known(cost.clientS()), known(cost.membersS()), known(cost.allS()));
        }

        private static Double known(final double seconds)
        {
            return Double.isNaN(seconds) ? null : Documents.rounded(seconds, 3);
        }
    }

    /**
     * Document of a run.
     *
     * @param clientShare        of the slowest messages, or null if it is not known.
     * @param steadyState        whether it was stationary, or null if that was not examined.
     * @param snapshots          taken during the run, or null if there were to be none.
     * @param backup             how far the backup was behind, or null without one.
     * @param churn              sessions that came and went during the run, or null if there were to be none.
     * @param varying            what a rate that varied shows.
     * @param floor              its median compared with the machine's floor, or null if there is no such floor.
     * @param clients            that shared the load; none if this process was the only one.
     */
    public static RunDocument of(
        final RunDescription description,
        final long ratePerSecondAsked,
        final LoadMeasurement measurement,
        final RunConfidence confidence,
        final Verdict verdict,
        final Diagnosis diagnosis,
        final ClientShare clientShare,
        final SteadyState steadyState,
        final SnapshotCost snapshots,
        final BackupLag backup,
        final ChurnCost churn,
        final VaryingResult varying,
        final CpuCost cpu,
        final FloorRatio floor,
        final List<ClientRecord> clients,
        final String resultFolder)
    {
        final LoadOutcome outcome = measurement.outcome();
        final Histograms times = measurement.times();
        return new RunDocument(
            DocumentKind.RUN.format(), description.label(), description.start().toString(), StoredVerdict.of(verdict),
            Accounts.of(outcome.counts()), outcome.of(Counter.DUPLICATES), outcome.of(Counter.OUT_OF_ORDER),
            outcome.of(Counter.CORRUPT), outcome.of(Counter.BACK_PRESSURED),
            outcome.of(Counter.DISCONNECTED), outcome.of(Counter.NEW_LEADERS), outcome.of(Counter.RECONNECTS),
            outcome.of(Counter.RESENT), outcome.of(Counter.REPEATED),
            outcome.of(Counter.GAPS), outcome.of(Counter.FORGOTTEN), outcome.of(Counter.BOUND_WAITS),
            outcome.of(Counter.WARM_UP_SKIPPED), ratePerSecondAsked,
            Documents.rounded(outcome.ratePerSecondAchieved(), 2), description.ceilingPerSecond(),
            description.calibration(), Floor.of(floor),
            Times.of(times.of(Time.RESPONSE), confidence.of(Time.RESPONSE)),
            Times.of(times.of(Time.SERVICE), confidence.of(Time.SERVICE)),
            Times.of(times.of(Time.SEND_DELAY), confidence.of(Time.SEND_DELAY)),
            0 == times.of(Time.RECEIVE_LATENESS).getTotalCount() ? null :
                Times.of(times.of(Time.RECEIVE_LATENESS), confidence.of(Time.RECEIVE_LATENESS)),
            clientShare, Times.of(times.of(Time.STALL)),
            Stages.of(outcome.stages()), outcome.kinds().stream().map((kind) -> Kind.of(kind, outcome)).toList(),
            FanOut.of(measurement.fanOut()), Cpu.of(cpu),
            new Diagnosis(
                diagnosis.tail(), diagnosis.isLong(), diagnosis.findings().stream().map(RunDocument::rounded).toList()),
            steadyState, description.ends().warmUp(), description.ends().until(), Snapshots.of(snapshots), backup,
            Churn.of(churn),
            varying.overload(), varying.rateSteps(),
            clients.stream().map(ClientDocument::of).toList(), Circumstances.of(description, resultFolder));
    }

    private static TailCause rounded(final TailCause finding)
    {
        return new TailCause(
            finding.rule(), finding.cause(), finding.advice(), Documents.rounded(finding.present(), 3),
            Documents.rounded(finding.share(), 3));
    }
}
