package io.clusterecho.reporting.results;

import java.util.Map;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.platform.ClockOffset;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.Time;

/**
 * One client of a run with several: {@code client.json} in its folder, and part of the run's manifest.
 *
 * @param number                 from 0.
 * @param folder                 of its raw data, relative to the folder of the run.
 * @param host                   its own name for the host that it runs on.
 * @param lost                   why it did not finish the run, or empty.
 * @param clockOffsetNs          before the run, from which its start was set.
 * @param clientCeilingPerSecond messages/s into a transport that answers at once, measured in all clients at the same time.
 */
public record ClientRecord(
    int number, String folder, String host, long pid, String command, String lost, long clockOffsetNs, long clockErrorNs,
    long timeOfDayOffsetNs,
    @JsonUnwrapped Accounts accounts,
    long clientCeilingPerSecond, Times responseTimeNs, Map<String, String> machine)
{
    /** With the clock offset before the run. */
    public static ClientRecord of(
        final int number, final String folder, final String host, final long pid, final String command, final String lost,
        final ClockOffset offset, final LoadMeasurement measurement, final long ceilingPerSecond,
        final Map<String, String> machine)
    {
        return new ClientRecord(
            number, folder, host, pid, command, lost, offset.offsetNs(), offset.errorNs(), offset.timeOfDayNs(),
            Accounts.of(measurement.outcome().counts()), ceilingPerSecond,
            Times.of(measurement.times().of(Time.RESPONSE)), machine);
    }
}
