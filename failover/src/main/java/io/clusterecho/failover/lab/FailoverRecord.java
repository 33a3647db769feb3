package io.clusterecho.failover.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.series.StoredRun;
import io.clusterecho.failover.audit.AuditReport;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.FailoverDocument;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.ResultDocuments;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.RunEvidence;
import io.clusterecho.reporting.results.StageReport;
import io.clusterecho.reporting.results.Verdict;

/**
 * Writes the result of a failover test. Each cycle is written as soon as it has ended. A later step that fails becomes a problem
 * of the result and loses nothing that was written. Not thread-safe.
 */
final class FailoverRecord
{
    private static final String RESULT = DocumentKind.FAILOVER.fileName();
    private static final String TEXT = "failover.txt";

    private final ResultFolder folder;
    private final RunConfig config;
    private final FailoverResult.Bounds bounds;
    private final List<String> problems = new ArrayList<>();
    private FailoverDocument.Rollout rollout;
    private boolean isAuditInterrupted;

    /**
     * The steps after the load. Each but the last may throw.
     *
     * @param evidence collected from hosts while their members still run; warnings, a sentence each.
     * @param stop     of the cluster, if the test has started it.
     * @param audit    of the members' logs. A request for an early end during it interrupts it; one before it does not.
     */
    record Aftermath(
        Supplier<List<String>> evidence, Runnable stop, BooleanSupplier isEndRequested, Supplier<AuditReport> audit,
        Supplier<RunDescription> description)
    {
    }

    /** @param bounds of outages, by the timeouts of the cluster. */
    FailoverRecord(
        final ResultFolder folder, final RunConfig config, final FailoverResult.Bounds bounds)
    {
        this.folder = folder;
        this.config = config;
        this.bounds = bounds;
    }

    void addProblems(final List<String> newProblems)
    {
        problems.addAll(newProblems);
    }

    void rolledOut(final FailoverDocument.Rollout soFar)
    {
        rollout = soFar;
    }

    /** Write the cycles before the results of load and audit are known. */
    void keep(final List<Cycle> cycles)
    {
        final FailoverResult result = new FailoverResult(
            cycles, List.of(), null, config.load().delivery().isExactlyOnce(), null, bounds, rollout);
        final Verdict verdict = Verdict.of(new RunEvidence(
            null, config.load().ratePerSecond(), List.of(), true, problems, List.of(), List.of(), result.account()));
        attempt("writing the cycles so far", () ->
            folder.write(RESULT, Documents.text(
            result.document(verdict, config.commandLine(), folder.path().toString()))));
    }

    /**
     * Run the steps after the load, decide the verdict and write the result, which is returned even if it could not be written.
     */
    FailoverTest.Result finish(final FailoverTest.Faults faults, final Aftermath aftermath)
    {
        final LoadMeasurement measurement = faults.load().measurement();
        problems.addAll(faults.load().problems());
        final List<Cycle> cycles = read(
            () -> EchoGaps.read(faults.history(), faults.cycles()), faults.cycles(),
            "outages come from polling the running load because the journal cannot be read: ");
        keep(cycles);
        final List<String> warnings = new ArrayList<>();
        attempt("collecting evidence from hosts", () -> warnings.addAll(aftermath.evidence().get()));
        attempt("stopping the cluster", aftermath.stop());
        final AuditReport audit = audit(aftermath);
        final List<CycleTimeline> timelines =
            read(() -> faults.history().timelines(cycles), List.of(), "timelines are missing: ");

        warnings.addAll(StageReport.warnings(measurement));
        cycles.stream().filter((cycle) -> null != cycle.healed()).map(FailoverText::healedText).forEach(warnings::add);
        final FailoverResult result = new FailoverResult(
            cycles, timelines, measurement.outcome(), config.load().delivery().isExactlyOnce(), audit, bounds,
            rollout);
        final RunEvidence evidence = new RunEvidence(
            measurement, config.load().ratePerSecond(), config.thresholds(), faults.isEndedEarly() || isAuditInterrupted,
            problems, warnings, List.of(), result.account());
        return store(aftermath.description().get(), result, evidence);
    }

    /** @param problem to which the reason is added. */
    private <T> T read(final Supplier<T> reading, final T otherwise, final String problem)
    {
        try
        {
            return reading.get();
        }
        catch (final RuntimeException ex)
        {
            final String text = problem + message(ex);
            if (!problems.contains(text))
            {
                problems.add(text);
            }
            return otherwise;
        }
    }

    /** @return null if it failed or was interrupted: an incomplete audit would report unread messages as lost. */
    private AuditReport audit(final Aftermath aftermath)
    {
        final boolean isRequestedBefore = aftermath.isEndRequested().getAsBoolean();
        AuditReport report = null;
        String failure = "";
        try
        {
            report = aftermath.audit().get();
        }
        catch (final RuntimeException ex)
        {
            failure = "the members' logs were not audited: " + message(ex);
        }

        final boolean isInterruptible = !isRequestedBefore && aftermath.isEndRequested().getAsBoolean();
        if (isInterruptible && (null == report || !report.isClean()))
        {
            isAuditInterrupted = true;
            return null;
        }
        if (!failure.isEmpty())
        {
            problems.add(failure);
        }
        return report;
    }

    private FailoverTest.Result store(
        final RunDescription description, final FailoverResult result, final RunEvidence evidence)
    {
        final String path = folder.path().toString();
        final ResultDocuments documents = new ResultDocuments(folder);
        documents.addFile(
            FileNames.TIMELINE, () -> folder.write(FileNames.TIMELINE, FailoverText.timelinesCsv(result.timelines())));
        if (null != result.audit())
        {
            final String audit = DocumentKind.AUDIT.fileName();
            documents.addFile(audit, () -> folder.write(audit, Documents.text(result.audit())));
        }
        documents.add(RESULT, (verdict) ->
            Documents.text(result.document(verdict, description.commandLine(), path)));
        documents.add(TEXT, (verdict) -> FailoverText.text(result, verdict, path));
        final StoredRun run = StoredRun.write(
            folder, documents, description, evidence, List.of(), config.calibrations(), true);
        return new FailoverTest.Result(
            documents.text(RESULT), documents.text(TEXT), run.verdict().exitStatus(), run, folder.path(), result.cycles());
    }

    private void attempt(final String what, final Runnable step)
    {
        read(() ->
        {
            step.run();
            return null;
        }, null, what + " failed: ");
    }

    private static String message(final RuntimeException ex)
    {
        return null == ex.getMessage() ? ex.toString() : ex.getMessage();
    }
}
