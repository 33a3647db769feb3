package io.clusterecho.client.series;

import java.nio.file.Files;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import io.clusterecho.attribution.SlowMessage;
import io.clusterecho.client.calibration.Calibrations;
import io.clusterecho.reporting.diagnosis.Findings;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.report.ReportPage;
import io.clusterecho.reporting.results.ClientRecord;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.FloorRatio;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.ResultDocuments;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.RunEvidence;
import io.clusterecho.reporting.results.RunFindings;
import io.clusterecho.reporting.results.TextReport;
import io.clusterecho.reporting.results.Verdict;

/**
 * A run whose result was judged and, as far as possible, written.
 *
 * @param evidence of the run itself.
 * @param summary  the most important lines of the text.
 * @param problems what could not be written.
 */
public record StoredRun(
    ResultFolder folder, RunEvidence evidence, String json, String text, String summary, Verdict verdict,
    List<String> problems)
{
    /**
     * Judge, and write manifest, text, percentile distributions and, if requested, the report page.
     *
     * @param documents of the result; callers may have added others.
     * @param given     description of the run, without a calibration.
     */
    public static StoredRun write(
        final ResultFolder folder,
        final ResultDocuments documents,
        final RunDescription given,
        final RunEvidence evidence,
        final List<ClientRecord> clients,
        final Calibrations calibrations,
        final boolean isPaged)
    {
        final String path = folder.path().toString();
        final LoadMeasurement measurement = evidence.measurement();
        final RunDescription description = given.with(calibrations.note(given, !clients.isEmpty()));
        // Baselines do not apply to clients on other machines, nor to several that share the cores of this one.
        final FloorRatio floor = !clients.isEmpty() ? null : floor(calibrations, description, measurement);
        final RunFindings findings = Findings.of(folder.path(), evidence, description, floor, clients);
        Time.OF_MESSAGES.stream()
            .filter((time) -> Time.RECEIVE_LATENESS != time || measurement.times().of(time).getTotalCount() > 0)
            .forEach((time) -> documents.addFile(
                time.percentiles(), () -> ResultFolder.percentiles(measurement.times().of(time))));
        Stream.ofNullable(measurement.outcome().slowest())
            .forEach((slowest) -> documents.addFile(FileNames.SLOWEST, () -> SlowMessage.json(slowest)));
        documents.add(
            DocumentKind.RUN.fileName(), (verdict) -> Documents.text(RunDocument.of(findings, verdict, path)));
        final boolean isKept = Files.isDirectory(folder.path());
        final Function<Verdict, TextReport> text = (verdict) -> new TextReport(
            findings, verdict, isKept ? path : path + ", which is gone", isPaged && isKept);
        documents.add(FileNames.TEXT, (verdict) -> text.apply(verdict).full());
        if (isPaged)
        {
            ReportPage.addTo(documents);
        }
        final Verdict verdict = documents.write(findings.evidence());
        return new StoredRun(
            folder, evidence, documents.text(DocumentKind.RUN.fileName()), documents.text(FileNames.TEXT),
            text.apply(verdict).summary(), verdict, documents.problems());
    }

    public RunDocument document()
    {
        return Documents.bind(Documents.parse(json), RunDocument.class);
    }

    private static FloorRatio floor(
        final Calibrations calibrations, final RunDescription description, final LoadMeasurement measurement)
    {
        try
        {
            return calibrations.floor(description, Percentile.P50.of(measurement.times().of(Time.RESPONSE)));
        }
        catch (final RuntimeException ex)
        {
            return FloorRatio.missing("not known: " + ex);
        }
    }
}
