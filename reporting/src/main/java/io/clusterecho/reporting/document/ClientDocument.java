package io.clusterecho.reporting.document;

import java.util.Map;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.platform.ClockOffset;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.ClientRecord;
import io.clusterecho.reporting.results.Times;

/** One client of a run with several: {@code client.json} in its folder, and part of the run's manifest. */
public record ClientDocument(
    int number, String folder, String host, long pid, String command, String lost, long clockOffsetNs, long clockErrorNs,
    long timeOfDayOffsetNs, Long clockOffsetAfterNs, Long clockErrorAfterNs,
    @JsonUnwrapped Accounts accounts,
    long clientCeilingPerSecond, Times responseTimeNs, Map<String, String> machine)
{
    public static ClientDocument of(final ClientRecord client)
    {
        final ClockOffset before = client.before();
        final ClockOffset after = client.after();
        return new ClientDocument(
            client.number(), client.folder(), client.host(), client.pid(), client.command(), client.loss(), before.offsetNs(),
            before.errorNs(), before.timeOfDayNs(), null == after ? null : after.offsetNs(),
            null == after ? null : after.errorNs(), Accounts.of(client.measurement().outcome().counts()),
            client.ceilingPerSecond(),
            Times.of(client.measurement().times().of(Time.RESPONSE)), client.machine());
    }
}
