package io.clusterecho.client.series;

import java.util.List;

import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Verdict;

/**
 * A completed run with its stored result.
 *
 * @param losses      failures during the run, such as lost clients: its numbers are not to be relied on.
 */
public record MeasuredRun(
    ResultFolder folder,
    LoadPlan plan,
    LoadMeasurement measurement,
    Verdict verdict,
    RunDescription description,
    StoredRun stored,
    List<String> losses)
{
}
