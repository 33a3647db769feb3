package io.clusterecho.reporting.document;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.attribution.Part;
import io.clusterecho.attribution.SlowTail;
import io.clusterecho.attribution.StageTimes;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.FanOutOutcome;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.KindOutcome;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.Accounts;
import io.clusterecho.reporting.results.BackupLag;
import io.clusterecho.reporting.results.CalibrationNote;
import io.clusterecho.reporting.results.ChurnCost;
import io.clusterecho.reporting.results.ClientRecord;
import io.clusterecho.reporting.results.ClientShare;
import io.clusterecho.reporting.results.CpuCost;
import io.clusterecho.reporting.results.Diagnosis;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.FloorRatio;
import io.clusterecho.reporting.results.MemberLoad;
import io.clusterecho.reporting.results.Overload;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.RunEvidence;
import io.clusterecho.reporting.results.RunFindings;
import io.clusterecho.reporting.results.SnapshotCost;
import io.clusterecho.reporting.results.SteadyState;
import io.clusterecho.reporting.results.TailCause;
import io.clusterecho.reporting.results.Times;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.reporting.results.WarmUpEnd;
import io.clusterecho.reporting.results.WindowEnd;
import io.clusterecho.settings.InvalidSettingException;

/** A run: {@code manifest.json} of its folder, and the output of {@code --json}. */
public record RunDocument(
    String format, String label, String start, StoredVerdict verdict,
    @JsonUnwrapped Accounts accounts,
    Long duplicates, Long outOfOrder, Long corrupt, Long backPressured, Long disconnected, Long newLeaders, Long reconnects,
    Long resent, Long repeated, Long gaps, Long forgotten, Long boundWaits, Long warmUpSkipped, Long ratePerSecondAsked,
    Double ratePerSecondAchieved, Long clientCeilingPerSecond, CalibrationNote calibration,
    @JsonUnwrapped FloorRatio floor,
    Times responseTimeNs, Times serviceTimeNs, Times sendDelayNs, Times receiveLatenessNs, ClientShare clientTail,
    Times stallNs, Stages stages, SlowTail slowest,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Kind> kinds, Long events,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Reply> replies, FanOut fanOut, CpuCost cpuSecondsPerMillion,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<MemberLoad> members,
    Diagnosis diagnosis, SteadyState steadyState, WarmUpEnd warmUp, WindowEnd until, SnapshotCost snapshots, BackupLag backup,
    ChurnCost churn, Overload overload,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ClientRecord> clients,
    @JsonUnwrapped Provenance provenance)
{
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

    /** Replies of one kind: requests with one and their response times, further ones of a kind that may have them, others. */
    public record Reply(String name, long answered, long repeated, long duplicates, Times responseTimeNs)
    {
        static Reply of(final KindOutcome kind)
        {
            return new Reply(
                kind.kind().name(), kind.counts().of(Counter.ANSWERED), kind.counts().of(Counter.REPEATED),
                kind.counts().of(Counter.DUPLICATES), Times.of(kind.responseTimes()));
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
                stages.stampedCount(), stages.unstampedCount(), stages.disagreeingCount(), times(stages, Part.TO_LEADER),
                times(stages, Part.LOG), times(stages, Part.QUORUM), times(stages, Part.TO_SERVICE),
                times(stages, Part.TO_CLIENT), times(stages, StageTimes.BOTH_WAYS));
        }

        private static Times times(final StageTimes stages, final Part stage)
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

    /** Read the manifest in a folder; an error names the file: of no result, of an unknown format version, or damaged. */
    public static JsonNode read(final Path folder)
    {
        InvalidSettingException.throwIf(
            !Files.isDirectory(folder),
            folder + " is not a folder; allowed: the folder of a run, which contains manifest.json");
        InvalidSettingException.throwIf(
            !Files.isRegularFile(folder.resolve(DocumentKind.RUN.fileName())),
            folder + " is not the folder of a completed run: it contains no manifest.json");

        return Documents.read(folder, DocumentKind.RUN);
    }

    /** Document of a run; null where something does not apply or is not known. */
    public static RunDocument of(final RunFindings run, final Verdict verdict, final String resultFolder)
    {
        final RunDescription description = run.description();
        final RunEvidence evidence = run.evidence();
        final LoadMeasurement measurement = evidence.measurement();
        final LoadOutcome outcome = measurement.outcome();
        final Histograms times = measurement.times();
        final Map<Time, Times> bounded = run.times();
        final Diagnosis diagnosis = run.diagnosis();
        return new RunDocument(
            DocumentKind.RUN.format(), description.label(), description.start().toString(), StoredVerdict.of(verdict),
            Accounts.of(outcome.counts()), outcome.of(Counter.DUPLICATES), outcome.of(Counter.OUT_OF_ORDER),
            outcome.of(Counter.CORRUPT), outcome.of(Counter.BACK_PRESSURED),
            outcome.of(Counter.DISCONNECTED), outcome.of(Counter.NEW_LEADERS), outcome.of(Counter.RECONNECTS),
            outcome.of(Counter.RESENT), outcome.of(Counter.REPEATED),
            outcome.of(Counter.GAPS), outcome.of(Counter.FORGOTTEN), outcome.of(Counter.BOUND_WAITS),
            outcome.of(Counter.WARM_UP_SKIPPED), evidence.ratePerSecondAsked(),
            Documents.rounded(outcome.ratePerSecondAchieved(), 2), description.ceilingPerSecond(),
            description.calibration(), run.floor(),
            bounded.get(Time.RESPONSE), bounded.get(Time.SERVICE), bounded.get(Time.SEND_DELAY),
            0 == times.of(Time.RECEIVE_LATENESS).getTotalCount() ? null : bounded.get(Time.RECEIVE_LATENESS),
            evidence.clientShare(), Times.of(times.of(Time.STALL)),
            Stages.of(outcome.stages()), SlowTail.of(outcome.slowest(), outcome.of(Counter.SCHEDULED)),
            outcome.kinds().stream().map((kind) -> Kind.of(kind, outcome)).toList(),
            description.isOwnService() ? outcome.of(Counter.EVENTS) : null, outcome.replies().stream().map(Reply::of).toList(),
            FanOut.of(measurement.fanOut()), run.cpu().rounded(), run.members(),
            new Diagnosis(
                diagnosis.tail(), diagnosis.isLong(), diagnosis.findings().stream().map(RunDocument::rounded).toList()),
            evidence.steadyState(), description.warmUp(), description.until(), run.snapshots(),
            run.backup(), run.churn(), evidence.overload(),
            run.clients(), Provenance.of(description, resultFolder));
    }

    private static TailCause rounded(final TailCause finding)
    {
        return new TailCause(
            finding.rule(), finding.cause(), finding.advice(), Documents.rounded(finding.present(), 3),
            Documents.rounded(finding.share(), 3));
    }
}
