package io.clusterecho.client.series;

import java.util.List;

import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Verdict;

/**
 * A run that has ended and whose result stands in its folder.
 *
 * @param folder      of it.
 * @param plan        of it.
 * @param measurement of it.
 * @param verdict     on it.
 * @param description how it came about.
 * @param stored      as it was written.
 * @param losses      what failed while it ran, as clients that were lost: what it says of the cluster is not to be relied on.
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
