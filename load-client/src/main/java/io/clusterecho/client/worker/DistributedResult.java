package io.clusterecho.client.worker;

import java.util.List;
import java.util.stream.Stream;

import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.results.ClientRecord;

/**
 * What all clients of a run measured.
 *
 * @param measurement  of the whole schedule.
 * @param clients      by number.
 * @param isEndedEarly whether a client ended the schedule before its end, on request or not.
 * @param warnings     what a reader should know.
 * @param problems     what failed in the coordinator: the workers were ended then, and the run is not to be relied on.
 */
public record DistributedResult(
    LoadMeasurement measurement,
    List<ClientRecord> clients,
    boolean isEndedEarly,
    List<String> warnings,
    List<String> problems)
{
    /**
     * Why clients did not bring the run to its end.
     *
     * @return a sentence for each client that was lost.
     */
    public List<String> losses()
    {
        return clients.stream().map(ClientRecord::loss).filter((loss) -> !loss.isEmpty()).toList();
    }

    /**
     * Why the run failed beside its accounts.
     *
     * @return losses and problems.
     */
    public List<String> failures()
    {
        return Stream.concat(losses().stream(), problems.stream()).toList();
    }

    /**
     * What all clients manage into a transport that answers at once, all at the same time.
     *
     * @return messages per second.
     */
    public long ceilingPerSecond()
    {
        return clients.stream().mapToLong(ClientRecord::ceilingPerSecond).sum();
    }
}
