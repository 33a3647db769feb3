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
 * @param clockOffsetAfterNs     after the run, or null if the client was gone by then.
 * @param clientCeilingPerSecond messages/s into a transport that answers at once, measured in all clients at the same time.
 */
public record ClientRecord(
    int number, String folder, String host, long pid, String command, String lost, long clockOffsetNs, long clockErrorNs,
    long timeOfDayOffsetNs, Long clockOffsetAfterNs, Long clockErrorAfterNs,
    @JsonUnwrapped Accounts accounts,
    long clientCeilingPerSecond, Times responseTimeNs, Map<String, String> machine)
{
    /** With clock offsets before and after the run, the second null if it is not known. */
    public static ClientRecord of(
        final int number, final String folder, final String host, final long pid, final String command, final String lost,
        final ClockOffset before, final ClockOffset after, final LoadMeasurement measurement, final long ceilingPerSecond,
        final Map<String, String> machine)
    {
        return new ClientRecord(
            number, folder, host, pid, command, lost, before.offsetNs(), before.errorNs(), before.timeOfDayNs(),
            null == after ? null : after.offsetNs(), null == after ? null : after.errorNs(),
            Accounts.of(measurement.outcome().counts()), ceilingPerSecond,
            Times.of(measurement.times().of(Time.RESPONSE)), machine);
    }
}
