package io.clusterecho.client.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.clusterecho.client.run.DeclaredOption.LoadOption;
import io.clusterecho.client.transport.cluster.SessionRecovery;
import io.clusterecho.control.command.OptionGroup;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.settings.IllegalArgument;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

/**
 * Which cluster, or other system, the load goes to, and how sessions with it are opened and kept, as given by the user.
 * {@link Target} determines what is null.
 *
 * @param inventory   read from {@code inventoryFile} or recorded for the cluster, or null for this machine.
 * @param aeronDirs   of members, {@code id=folder} each.
 * @param churnTurnNs length in ns of the turns without churn and with it, by which they alternate; 0 for churn during the whole
 *                    measured window, null for a quarter of it.
 */
@OptionGroup("Cluster")
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
    @LoadOption(names = "--endpoints", label = "LIST",
        text = "Ingress endpoints of the members, such as 0=host:port,1=host:port. Default: those of the cluster in " +
        "--base-dir, else those of a default cluster on this machine.")
    String endpoints,
    @LoadOption(names = TargetConfig.AERON_DIR, label = "ID=DIR", isOfWorker = false,
        text = "Folder of the media driver of a member on this machine that cluster-node did not start, for its counters, " +
        "such as 0=/dev/shm/aeron-0; repeatable.")
    List<String> aeronDirs,
    @LoadOption(names = TargetConfig.IPC,
        text = "Exchange messages with the leader in its media driver, which --driver-dir names; see docs/DRIVERS.md.")
    boolean isIpc,
    @LoadOption(names = "--egress", label = "HOST:PORT",
        text = "Egress address; port 0 means any port. Default: any port of the address from which this machine " +
        "reaches the first member.")
    String egressEndpoint,
    @LoadOption(names = "--mtu", label = "BYTES", kind = LoadOption.Kind.SIZE,
        text = "MTU of the client's channels. Default: the cluster's if known, else 1408.")
    Long mtuLength,
    @LoadOption(names = "--connect-timeout", label = "TIME", byDefault = "10s", kind = LoadOption.Kind.TIME,
        text = "Connect timeout of a session; one of 10s or less ends after at most 1s if no ingress port of a local " +
        "cluster is bound. Default: ${DEFAULT-VALUE}.")
    long connectTimeoutNs,
    @LoadOption(names = "--new-leader-timeout", label = "TIME", kind = LoadOption.Kind.TIME,
        text = "Longest wait of a session for a new leader before it reconnects. Default: derived from the timeouts of " +
        "the cluster, at least 5 s; 30 s if they are unknown.")
    Long newLeaderTimeoutNs,
    @LoadOption(names = "--session-recovery", label = "MODE", byDefault = "probe",
        text = "What a session does when its leader is unreachable: probe (open another session at once, while waiting " +
        "for a new leader) or wait (for --new-leader-timeout, as a plain AeronCluster client). Default: ${DEFAULT-VALUE}.")
    SessionRecovery sessionRecovery,
    @LoadOption(names = "--credentials-file", label = "FILE",
        text = "File with one line NAME:SECRET, readable by its owner only.")
    Path credentialsFile,
    @LoadOption(names = "--memory-delay", label = "TIME", byDefault = "100us", kind = LoadOption.Kind.TIME,
        text = "Delay of --transport memory. Default: ${DEFAULT-VALUE}.")
    long memoryDelayNs,
    @LoadOption(names = "--memory-stall", label = "TIME@TIME", byDefault = "0s@0s", kind = LoadOption.Kind.STALL,
        text = "Stall of --transport memory: 1s@5s stalls for 1 s, 5 s after the start. Default: none.")
    Stall memoryStall,
    @LoadOption(names = TargetConfig.SNAPSHOT_EVERY, label = "TIME", kind = LoadOption.Kind.TIME, isOfWorker = false,
        text = "Take a snapshot of all members at this interval during the measured window, such as 5s. Default: none.")
    Long snapshotEveryNs,
    @LoadOption(names = TargetConfig.RECEIVERS, label = "N", kind = LoadOption.Kind.COUNT, isOfWorker = false,
        text = "Further sessions that send nothing and receive a copy of each reply (fan-out), up to 100, with accounts " +
        "of what each received. Default: none.")
    Integer receivers,
    @LoadOption(names = TargetConfig.CHURN, label = "N", kind = LoadOption.Kind.PER_SECOND, isOfWorker = false,
        text = "Open this many additional sessions per second, 1 to 1000, in the second and the fourth quarter of the " +
        "measured window; each sends a message, receives the reply and closes. Default: none.")
    Long churnPerSecond,
    Inventory inventory,
    Long churnTurnNs)
{
    public static final String BASE_DIR = "--base-dir";
    public static final String AERON_DIR = "--aeron-dir";
    public static final String IPC = "--ipc-ingress";
    public static final String SNAPSHOT_EVERY = "--snapshot-every";
    public static final String RECEIVERS = "--receivers";
    public static final String CHURN = "--churn";
    public static final int MAX_CHURN = 1000;
    private static final int TURNS = 4;

    /** When the echo in memory stalls, in ns after the start, and for how long in ns; 0 for never. */
    record Stall(long lengthNs, long beginNs)
    {
        static Stall parse(final String text)
        {
            final String[] parts = text.split("@");
            IllegalArgument.throwIf(2 != parts.length, "a length and a begin, such as 1s@5s");
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
    }

    /** Number of sessions that only receive. */
    public int receiverCount()
    {
        return null == receivers ? 0 : receivers;
    }

    /** Length in ns of the turns of churn in a measured window; 0 for one turn. */
    public long turnNs(final long durationNs)
    {
        return null == churnTurnNs ? durationNs / TURNS : churnTurnNs;
    }

    /** The same with the inventory that is named, else that of the cluster in the base folder, if it has one. */
    TargetConfig withInventory()
    {
        final Inventory found = null != inventoryFile ? new Inventory(inventoryFile) :
            null == endpoints && TransportNames.isCluster(transport) ? Inventory.recordedIn(clusterDir).orElse(null) : null;
        return null == found ? this : DeclaredOption.with(this, Map.of("inventory", found));
    }
}
