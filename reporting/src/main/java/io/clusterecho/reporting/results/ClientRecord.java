package io.clusterecho.reporting.results;

import java.util.List;
import java.util.Map;

import io.clusterecho.reporting.measurement.LoadMeasurement;

/**
 * One of several clients of a run, for the record.
 *
 * @param number           of it, from 0.
 * @param command          that started it.
 * @param host             that it runs on, as it calls itself.
 * @param pid              of its process there.
 * @param machine          that it runs on.
 * @param folder           of its raw data, seen from the folder of the run.
 * @param before           offset of its clocks before the run, by which it was started.
 * @param after            the same after the run, or null where it was not there any more.
 * @param ceilingPerSecond messages that it manages into a transport that answers at once, while all others try the same.
 * @param loss             why it did not bring the run to its end, or empty.
 * @param measurement      of its share.
 */
public record ClientRecord(
    int number,
    String command,
    String host,
    long pid,
    Map<String, String> machine,
    String folder,
    ClockOffset before,
    ClockOffset after,
    long ceilingPerSecond,
    String loss,
    LoadMeasurement measurement)
{
    /**
     * How well the clients started together.
     *
     * @param records of all clients.
     * @return largest error of a start, in ns.
     */
    public static long startErrorNs(final List<ClientRecord> records)
    {
        return records.stream().mapToLong((record) -> record.before().errorNs()).max().orElse(0);
    }
}
