package io.clusterecho.client.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.clusterecho.client.transport.cluster.SessionRecovery;
import io.clusterecho.control.command.OptionGroup;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

/**
 * Which cluster, or other system, the load goes to, and how sessions with it are opened and kept, as given by the user.
 * {@link Target} determines what is null.
 *
 * @param inventory read from {@code inventoryFile} or recorded for the cluster, or null for this machine.
 * @param beside    other work on the cluster; null for none.
 */
@OptionGroup(OptionGroup.Heading.CLUSTER)
public record TargetConfig(
    @LoadOption(names = TargetConfig.BASE_DIR, label = "DIR", byDefault = "cluster-data", isOfWorker = false,
        text = "Base folder of the cluster, for its endpoints and settings. Default: ${DEFAULT-VALUE}.")
    Path clusterDir,
    @LoadOption(names = "--inventory", label = "FILE", isOfWorker = false,
        text = "Hosts of the cluster in --base-dir; see docs/MANY-HOSTS.md. Default: the inventory with which it was " +
        "started from this machine.")
    Path inventoryFile,
    @LoadOption(names = "--placement", label = "NAME|FILE",
        text = "Emulated placement of members and client: cluster, partition or a file of zones. Default: that of the " +
        "cluster in --base-dir.")
    String placement,
    @LoadOption(names = "--service", label = "NAME",
        text = "Service of the members: echo (checks and applies each message once) or plain (sends bytes back; no " +
        "exactly-once delivery, no audit). Default: the cluster's if known, else echo.")
    Service service,
    @LoadOption(names = "--transport", label = "NAME", byDefault = TransportNames.CLUSTER, kind = LoadOption.Kind.TRANSPORT,
        text = "What carries the messages: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    String transport,
    @LoadOption(names = "--transport-set", label = "KEY=VALUE", text = "Setting of a peer's transport; repeatable.")
    List<String> transportAssignments,
    @OptionGroup(OptionGroup.Heading.CONNECTION)
    @LoadOption(names = "--endpoints", label = "LIST",
        text = "Ingress endpoints of the members, such as 0=host:port,1=host:port. Default: those of the cluster in " +
        "--base-dir, else those of a default cluster on this machine.")
    String endpoints,
    @OptionGroup(OptionGroup.Heading.CONNECTION)
    @LoadOption(names = "--egress", label = "HOST:PORT",
        text = "Egress address; port 0 means any port. Default: any port of the address from which this machine " +
        "reaches the first member.")
    String egressEndpoint,
    @OptionGroup(OptionGroup.Heading.CONNECTION)
    @LoadOption(names = "--mtu", label = "BYTES", kind = LoadOption.Kind.SIZE,
        text = "MTU of the client's channels. Default: the cluster's if known, else 1408.")
    Long mtuLength,
    @OptionGroup(OptionGroup.Heading.CONNECTION)
    @LoadOption(names = "--connect-timeout", label = "TIME", byDefault = "10s", kind = LoadOption.Kind.TIME,
        text = "Connect timeout of a session; one of 10s or less ends after at most 1s if no ingress port of a local " +
        "cluster is bound. Default: ${DEFAULT-VALUE}.")
    long connectTimeoutNs,
    @OptionGroup(OptionGroup.Heading.CONNECTION)
    @LoadOption(names = "--new-leader-timeout", label = "TIME", kind = LoadOption.Kind.TIME,
        text = "Longest wait of a session for a new leader before it reconnects. Default: derived from the timeouts of " +
        "the cluster, at least 5 s; 30 s if they are unknown.")
    Long newLeaderTimeoutNs,
    @OptionGroup(OptionGroup.Heading.CONNECTION)
    @LoadOption(names = "--session-recovery", label = "MODE", byDefault = "probe",
        text = "What a session does when its leader is unreachable: probe (open another session at once, while waiting " +
        "for a new leader) or wait (for --new-leader-timeout, as a plain AeronCluster client). Default: ${DEFAULT-VALUE}.")
    SessionRecovery sessionRecovery,
    @OptionGroup(OptionGroup.Heading.CONNECTION)
    @LoadOption(names = "--credentials-file", label = "FILE",
        text = "File with one line NAME:SECRET, readable by its owner only.")
    Path credentialsFile,
    @OptionGroup(OptionGroup.Heading.CALIBRATION)
    @LoadOption(names = "--memory-delay", label = "TIME", byDefault = "100us", kind = LoadOption.Kind.TIME,
        text = "Delay of --transport memory. Default: ${DEFAULT-VALUE}.")
    long memoryDelayNs,
    @OptionGroup(OptionGroup.Heading.CALIBRATION)
    @LoadOption(names = "--memory-stall", label = "TIME@TIME", byDefault = "0s@0s", kind = LoadOption.Kind.STALL,
        text = "Stall of --transport memory: 1s@5s stalls for 1 s, 5 s after the start. Default: none.")
    Stall memoryStall,
    Inventory inventory,
    Beside beside)
{
    public static final String BASE_DIR = "--base-dir";

    /** Other work on the cluster during the measured window; an interval of 0 means no snapshots. */
    public record Beside(long snapshotEveryNs, int receiverCount, ChurnConfig churn)
    {
        private static final Beside NONE = new Beside(0, 0, ChurnConfig.NONE);
    }

    /** When the echo in memory stalls, in ns after the start, and for how long in ns; 0 for never. */
    record Stall(long lengthNs, long beginNs)
    {
        static Stall parse(final String text)
        {
            final String[] parts = text.split("@");
            if (2 != parts.length)
            {
                throw new IllegalArgumentException("a length and a begin, such as 1s@5s");
            }
            return new Stall(Quantity.parseDurationNs(parts[0]), Quantity.parseDurationNs(parts[1]));
        }

        @Override
        public String toString()
        {
            return lengthNs + "ns@" + beginNs + "ns";
        }
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
        beside = null == beside ? Beside.NONE : beside;
    }

    /** The same with the inventory that is named, else that of the cluster in the base folder, if it has one. */
    TargetConfig withInventory()
    {
        final Inventory found = null != inventoryFile ? Inventory.read(inventoryFile) :
            null == endpoints && TransportNames.isCluster(transport) ? Inventory.recordedIn(clusterDir).orElse(null) : null;
        return null == found ? this : DeclaredOption.with(this, Map.of("inventory", found));
    }
}
