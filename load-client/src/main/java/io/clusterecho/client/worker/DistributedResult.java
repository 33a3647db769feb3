package io.clusterecho.client.worker;

import java.util.List;
import java.util.stream.Stream;

import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.results.ClientRecord;

/**
 * Measurements of all clients of a run.
 *
 * @param isEndedEarly whether a client ended the schedule early, on request or not.
 * @param problems     failures in the coordinator: the workers were ended, and the run is not to be relied on.
 */
public record DistributedResult(
    LoadMeasurement measurement,
    List<ClientRecord> clients,
    boolean isEndedEarly,
    List<String> warnings,
    List<String> problems)
{
    /** Why clients did not finish the run: a sentence for each lost client. */
    public List<String> losses()
    {
        return clients.stream().map(ClientRecord::loss).filter((loss) -> !loss.isEmpty()).toList();
    }

    /** Why the run failed apart from its accounts: losses and problems. */
    public List<String> failures()
    {
        return Stream.concat(losses().stream(), problems.stream()).toList();
    }

    /** Sum of the client ceilings, in messages per second, measured in all clients at the same time. */
    public long ceilingPerSecond()
    {
        return clients.stream().mapToLong(ClientRecord::ceilingPerSecond).sum();
    }
}
