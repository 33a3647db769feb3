package io.clusterecho.client.load;

import java.util.List;
import java.util.stream.Stream;

import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.results.ClientRecord;

/**
 * Result of a load that this process or its workers sent.
 *
 * @param measurement  up to the end of the load, even if it failed.
 * @param problems     failures in this process, a sentence each: the run is not to be relied on.
 * @param scheduling   how threads of this process were scheduled, a phrase each.
 * @param clients      the workers, none if this process sent the load.
 * @param isEndedEarly whether a worker ended the schedule early, on request or not.
 * @param warnings     about the workers, a sentence each.
 */
public record LoadResult(
    LoadMeasurement measurement,
    List<String> problems,
    List<String> scheduling,
    List<ClientRecord> clients,
    boolean isEndedEarly,
    List<String> warnings)
{
    /** Why workers did not finish the run: a sentence for each lost one. */
    public List<String> losses()
    {
        return clients.stream().map(ClientRecord::lost).filter((loss) -> !loss.isEmpty()).toList();
    }

    /** Why the run failed apart from its accounts: losses and problems. */
    public List<String> failures()
    {
        return Stream.concat(losses().stream(), problems.stream()).toList();
    }

    /** Sum of the ceilings of the workers, in messages per second, measured at the same time. */
    public long ceilingPerSecond()
    {
        return clients.stream().mapToLong(ClientRecord::clientCeilingPerSecond).sum();
    }
}
