package io.clusterecho.client.worker;

import java.util.List;

import io.clusterecho.client.load.LoadMeasurement;
import io.clusterecho.client.results.ClientRecord;

/**
 * What all clients of a run measured.
 *
 * @param measurement of the whole schedule.
 * @param clients     by number.
 * @param isEndedEarly whether a client ended the schedule before its end, though none was asked to.
 * @param warnings    what a reader should know.
 */
public record CrewResult(
    LoadMeasurement measurement, List<ClientRecord> clients, boolean isEndedEarly, List<String> warnings)
{
    /**
     * What speaks against the run beside its accounts.
     *
     * @return a sentence for each client that was lost.
     */
    public List<String> losses()
    {
        return clients.stream().map(ClientRecord::loss).filter((loss) -> !loss.isEmpty()).toList();
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
