package io.clusterecho.client.load;

import java.util.List;

import io.clusterecho.reporting.measurement.LoadMeasurement;

/**
 * What became of a load.
 *
 * @param measurement what was measured until the load ended, also when it ended by a failure.
 * @param problems    what failed while it ran, a sentence each; empty if nothing did.
 * @param scheduling  where the operating system put threads of this process, a phrase each.
 */
public record LoadResult(LoadMeasurement measurement, List<String> problems, List<String> scheduling)
{
}
