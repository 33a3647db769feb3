package io.clusterecho.client.worker;

import java.util.List;

import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.schedule.Schedule;

/**
 * The load that all clients of a run are to send.
 *
 * @param arguments      options of the load, as on a command line.
 * @param firstClientId  client id of session 0 of all clients; the others count up from it.
 * @param readyTimeoutNs time for a worker to open its sessions.
 */
public record RunRequest(
    LoadPlan plan,
    Schedule schedule,
    List<String> arguments,
    long durationNs,
    long firstClientId,
    long intervalNs,
    long readyTimeoutNs)
{
}
