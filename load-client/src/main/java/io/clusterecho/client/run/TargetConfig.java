package io.clusterecho.client.run;

import java.nio.file.Path;
import java.util.List;

import io.clusterecho.client.transport.cluster.SessionRecovery;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.settings.InvalidSettingException;

/**
 * Target of a run as given by the user. {@link Target} determines what is null.
 *
 * @param transportAssignments settings of a transport other than cluster and memory, KEY=VALUE.
 * @param inventory            read from {@code inventoryFile} or recorded for the cluster, or null for this machine.
 * @param newLeaderTimeoutNs   longest wait of a session for a new leader before it is opened again, in ns, or null.
 * @param memoryStallBeginNs   begin of a stall of the transport in memory, in ns after the start.
 * @param memoryStallNs        length of this stall, in ns; 0 for none.
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
    long memoryStallNs,
    Beside beside)
{
    /** Other work on the cluster during the measured window; an interval of 0 means no snapshots. */
    public record Beside(long snapshotEveryNs, int receiverCount, ChurnConfig churn)
    {
        public static final Beside NONE = new Beside(0, 0, ChurnConfig.NONE);
    }

    /** Service of the members. */
    public enum Service
    {
        /** Checks a message, applies it once, and answers. */
        echo,
        /** Sends a message back as it is. */
        plain
    }

    public TargetConfig
    {
        InvalidSettingException.throwIf(connectTimeoutNs < 1, "--connect-timeout", connectTimeoutNs + "ns", "more than 0");
        transportAssignments = List.copyOf(transportAssignments);
    }

    TargetConfig with(final Beside newBeside)
    {
        return with(transport, transportAssignments, endpoints, clusterDir, newBeside);
    }

    TargetConfig withClusterDir(final Path newClusterDir)
    {
        return with(transport, transportAssignments, endpoints, newClusterDir, beside);
    }

    /** The same target over another transport, whose members or folder of a cluster do not apply. */
    TargetConfig withTransport(final String newTransport, final List<String> newAssignments, final String newEndpoints)
    {
        return with(newTransport, newAssignments, newEndpoints, clusterDir, beside);
    }

    private TargetConfig with(
        final String newTransport, final List<String> newAssignments, final String newEndpoints, final Path newClusterDir,
        final Beside newBeside)
    {
        return new TargetConfig(
            newTransport, newAssignments, newEndpoints, egressEndpoint, newClusterDir, inventoryFile, inventory, placement,
            mtuLength, connectTimeoutNs, newLeaderTimeoutNs, sessionRecovery, credentialsFile, service, memoryDelayNs,
            memoryStallBeginNs, memoryStallNs, newBeside);
    }
}
