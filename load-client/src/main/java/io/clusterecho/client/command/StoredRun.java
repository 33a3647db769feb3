package io.clusterecho.client.command;

import java.util.List;

import io.clusterecho.client.baseline.Baselines;
import io.clusterecho.client.diagnosis.Examination;
import io.clusterecho.client.load.LoadMeasurement;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.report.ReportPage;
import io.clusterecho.client.results.ClientRecord;
import io.clusterecho.client.results.CpuCost;
import io.clusterecho.client.results.Diagnosis;
import io.clusterecho.client.results.FloorRatio;
import io.clusterecho.client.results.Manifest;
import io.clusterecho.client.results.Percentile;
import io.clusterecho.client.results.ResultFolder;
import io.clusterecho.client.results.RunDescription;
import io.clusterecho.client.results.TextReport;
import io.clusterecho.client.results.Verdict;
import io.clusterecho.platform.Redaction;

import picocli.CommandLine.Model.CommandSpec;

/**
 * A run whose result stands in its folder.
 *
 * @param json the manifest.
 * @param text for a person.
 */
record StoredRun(String json, String text)
{
    /**
     * Write manifest, text, percentile distributions and, if asked for, the page of charts.
     */
    static StoredRun write(
        final ResultFolder folder,
        final RunDescription description,
        final LoadPlan plan,
        final LoadMeasurement measurement,
        final Verdict verdict,
        final List<ClientRecord> clients,
        final Baselines baselines,
        final boolean isPaged)
    {
        final String path = folder.path().toString();
        final Diagnosis diagnosis = Examination.of(
            folder.path(), Percentile.P50.of(measurement.responseTimes()), Percentile.P99.of(measurement.responseTimes()));
        final CpuCost cpu = Examination.cpuCost(folder.path(), measurement.outcome().answered());
        // Clients of other machines, or that share the cores of this one, have no floor that was measured.
        final FloorRatio floor =
            !clients.isEmpty() ? null : baselines.floor(description, Percentile.P50.of(measurement.responseTimes()));
        final String json = Manifest.json(
            description, plan.ratePerSecond(), measurement, verdict, diagnosis, cpu, floor, clients, path);
        final String text = TextReport.text(
            description, plan.ratePerSecond(), measurement, verdict, diagnosis, cpu, floor, clients,
            path + (isPaged ? ", with charts in " + ReportPage.FILE_NAME : ""));
        folder.write("manifest.json", json);
        folder.write("summary.txt", text);
        folder.writePercentiles("response-time.hgrm", measurement.responseTimes());
        folder.writePercentiles("service-time.hgrm", measurement.serviceTimes());
        folder.writePercentiles("send-delay.hgrm", measurement.sendDelays());
        if (isPaged)
        {
            ReportPage.write(folder.path().resolve(ReportPage.FILE_NAME), List.of(folder.path()));
        }
        return new StoredRun(json, text);
    }

    /**
     * The command line that repeats what was asked for, without secrets.
     */
    static String commandLine(final CommandSpec spec)
    {
        return "java -jar " + spec.root().name() + ".jar " + String.join(
            " ",
            Redaction.of(spec.root().commandLine().getParseResult().originalArgs()).stream().map(StoredRun::quoted).toList());
    }

    private static String quoted(final String argument)
    {
        return argument.matches("[A-Za-z0-9_./:=,@%+-]+") ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }
}
