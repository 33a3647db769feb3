package io.clusterecho.client.run;

import java.nio.file.Path;
import java.util.List;

import io.clusterecho.client.transport.cluster.SessionRecovery;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.settings.InvalidSettingException;

/**
 * What a run is directed at, as far as the user said it. Of what is null, {@link Target} finds out.
 *
 * @param transport            name of what carries the messages.
 * @param transportAssignments settings of a transport that is neither the cluster nor in memory, KEY=VALUE.
 * @param endpoints            ingress endpoints of the members, or null.
 * @param egressEndpoint       where replies are received, or null.
 * @param clusterDir           base folder of a cluster that was started from this machine.
 * @param inventoryFile        of the hosts of that cluster, or null.
 * @param inventory            that was read from this file or is recorded for the cluster, or null for this machine.
 * @param placement            that members and client emulate, or null.
 * @param mtuLength            of the client's channels in bytes, or null.
 * @param connectTimeoutNs     for a session to open, in ns.
 * @param newLeaderTimeoutNs   for which a session waits for a new leader before it is opened anew, in ns, or null.
 * @param sessionRecovery      what a session does whose leader is out of reach.
 * @param credentialsFile      or null.
 * @param service              what the members do with a message, or null.
 * @param memoryDelayNs        of the transport in memory, in ns.
 * @param memoryStallBeginNs   when the transport in memory stalls, in ns after the start.
 * @param memoryStallNs        for how long it does, in ns; 0 for not at all.
 */
public record TargetConfig(
    String transport,
    List<String> transportAssignments,
    String endpoints,
    String egressEndpoint,
    Path clusterDir,
    Path inventoryFile,
    Inventory inventory,
    String placement,
    Long mtuLength,
    long connectTimeoutNs,
    Long newLeaderTimeoutNs,
    SessionRecovery sessionRecovery,
    Path credentialsFile,
    Service service,
    long memoryDelayNs,
    long memoryStallBeginNs,
    long memoryStallNs)
{
    /** What the members do with a message. */
    public enum Service
    {
        /** They check it, apply it once, and answer. */
        echo,
        /** They send it back as it came. */
        plain
    }

    /**
     * Checks what no single option can.
     *
     * @throws InvalidSettingException that names option, value and what is allowed.
     */
    public TargetConfig
    {
        if (connectTimeoutNs < 1)
        {
            throw new InvalidSettingException("--connect-timeout", connectTimeoutNs + "ns", "more than 0");
        }
        transportAssignments = List.copyOf(transportAssignments);
    }

    /**
     * The same for a cluster in another folder.
     *
     * @param newClusterDir its base folder.
     */
    TargetConfig withClusterDir(final Path newClusterDir)
    {
        return new TargetConfig(
            transport, transportAssignments, endpoints, egressEndpoint, newClusterDir, inventoryFile, inventory, placement,
            mtuLength, connectTimeoutNs, newLeaderTimeoutNs, sessionRecovery, credentialsFile, service, memoryDelayNs,
            memoryStallBeginNs, memoryStallNs);
    }
}
