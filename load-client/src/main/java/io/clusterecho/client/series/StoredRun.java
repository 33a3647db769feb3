package io.clusterecho.client.series;

import java.util.List;

import io.clusterecho.client.baseline.Baselines;
import io.clusterecho.reporting.diagnosis.Examination;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.report.ReportPage;
import io.clusterecho.reporting.results.ClientRecord;
import io.clusterecho.reporting.results.CpuCost;
import io.clusterecho.reporting.results.Diagnosis;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.FloorRatio;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.ResultDocuments;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.RunEvidence;
import io.clusterecho.reporting.results.TextReport;
import io.clusterecho.reporting.results.Verdict;

/**
 * A run whose result was judged, and written as far as that was possible.
 *
 * @param json     the manifest.
 * @param text     for a person.
 * @param verdict  that both hold.
 * @param problems what of it could not be written, a sentence each.
 */
public record StoredRun(String json, String text, Verdict verdict, List<String> problems)
{
    private static final String TEXT = "summary.txt";

    /**
     * Judge, and write manifest, text, percentile distributions and, if asked for, the page of charts.
     *
     * @param documents of the result, to which others may have been added.
     */
    public static StoredRun write(
        final ResultFolder folder,
        final ResultDocuments documents,
        final RunDescription description,
        final RunEvidence evidence,
        final List<ClientRecord> clients,
        final Baselines baselines,
        final boolean isPaged)
    {
        final String path = folder.path().toString();
        final LoadMeasurement measurement = evidence.measurement();
        final long rate = evidence.ratePerSecondAsked();
        final Diagnosis diagnosis = Examination.of(
            folder.path(), Percentile.P50.of(measurement.responseTimes()), Percentile.P99.of(measurement.responseTimes()));
        final CpuCost cpu = Examination.cpuCost(folder.path(), measurement.outcome().answered());
        // Clients of other machines, or that share the cores of this one, have no floor that was measured.
        final FloorRatio floor = !clients.isEmpty() ? null : floor(baselines, description, measurement);
        documents.addFile(
            "response-time.hgrm", () -> folder.writePercentiles("response-time.hgrm", measurement.responseTimes()));
        documents.addFile(
            "service-time.hgrm", () -> folder.writePercentiles("service-time.hgrm", measurement.serviceTimes()));
        documents.addFile("send-delay.hgrm", () -> folder.writePercentiles("send-delay.hgrm", measurement.sendDelays()));
        documents.add(DocumentKind.RUN.fileName(), (verdict) -> Documents.text(RunDocument.of(
            description, rate, measurement, verdict, diagnosis, cpu, floor, clients, path)));
        documents.add(TEXT, (verdict) -> TextReport.text(
            description, rate, measurement, verdict, diagnosis, cpu, floor, clients,
            path + (isPaged ? ", with charts in " + FileNames.PAGE : "")));
        if (isPaged)
        {
            documents.addPage(
                FileNames.PAGE,
                () -> ReportPage.write(folder.path().resolve(FileNames.PAGE), List.of(folder.path())));
        }
        final Verdict verdict = documents.write(evidence);
        return new StoredRun(
            documents.text(DocumentKind.RUN.fileName()), documents.text(TEXT), verdict, documents.problems());
    }

    /**
     * The manifest as a record.
     *
     * @return what {@link #json()} says.
     */
    public RunDocument document()
    {
        return Documents.bind(Documents.parse(json), RunDocument.class);
    }

    private static FloorRatio floor(
        final Baselines baselines, final RunDescription description, final LoadMeasurement measurement)
    {
        try
        {
            return baselines.floor(description, Percentile.P50.of(measurement.responseTimes()));
        }
        catch (final RuntimeException ex)
        {
            return FloorRatio.missing("not known: " + ex);
        }
    }
}
