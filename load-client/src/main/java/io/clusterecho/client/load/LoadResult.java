package io.clusterecho.client.load;

import java.util.List;

import io.clusterecho.reporting.measurement.LoadMeasurement;

/**
 * Result of a load.
 *
 * @param measurement up to the end of the load, even if it failed.
 * @param problems    failures during the load, a sentence each.
 * @param scheduling  how threads of this process were scheduled, a phrase each.
 */
public record LoadResult(LoadMeasurement measurement, List<String> problems, List<String> scheduling)
{
}
