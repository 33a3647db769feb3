package io.clusterecho.reporting.results;

import java.util.List;
import java.util.Map;

import io.clusterecho.platform.ClockOffset;
import io.clusterecho.reporting.measurement.LoadMeasurement;

/**
 * One client of a run with several.
 *
 * @param number           from 0.
 * @param host             its own name for the host that it runs on.
 * @param folder           of its raw data, relative to the folder of the run.
 * @param before           clock offset before the run, from which its start was set.
 * @param after            clock offset after the run, or null if the client was gone by then.
 * @param ceilingPerSecond messages/s into a transport that answers at once, measured in all clients at the same time.
 * @param loss             why it did not finish the run, or empty.
 */
public record ClientRecord(
    int number, String command, String host, long pid, Map<String, String> machine, String folder, ClockOffset before,
    ClockOffset after, long ceilingPerSecond, String loss, LoadMeasurement measurement)
{
    /** Largest error in the start time of any client, in ns. */
    public static long startErrorNs(final List<ClientRecord> records)
    {
        return records.stream().mapToLong((record) -> record.before().errorNs()).max().orElse(0);
    }
}
