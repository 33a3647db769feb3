package io.clusterecho.commands;

import java.nio.file.Path;
import java.util.List;

import io.clusterecho.client.run.TargetConfig;
import io.clusterecho.client.run.TransportNames;
import io.clusterecho.client.transport.cluster.SessionRecovery;
import io.clusterecho.control.command.OptionGroup;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.settings.Quantity;

import picocli.CommandLine.Option;

/** Which cluster, or other system, the load goes to, and how sessions with it are opened and kept. */
@OptionGroup(OptionGroup.Heading.CLUSTER)
final class TargetOptions
{
    /** When the echo stalls, and for how long; both in ns after the start. */
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

    @Option(names = "--base-dir", paramLabel = "DIR", defaultValue = "cluster-data",
        description = "Base folder of the cluster, for its endpoints and settings. Default: ${DEFAULT-VALUE}.")
    private Path clusterDir;

    @Option(names = "--inventory", paramLabel = "FILE",
        description = "Hosts of the cluster in --base-dir; see docs/MANY-HOSTS.md. Default: the inventory with which it was " +
        "started from this machine.")
    private Path inventoryFile;

    @Option(names = "--placement", paramLabel = "NAME|FILE",
        description = "Emulated placement of members and client: cluster, partition or a file of zones. Default: that of the " +
        "cluster in --base-dir.")
    private String placement;

    @Option(names = "--service", paramLabel = "NAME",
        description = "Service of the members: echo (checks and applies each message once) or plain (sends bytes back; no " +
        "exactly-once delivery, no audit). Default: the cluster's if known, else echo.")
    private TargetConfig.Service service;

    @Option(names = "--stages",
        description = "Report the time of each stage: to leader, log, quorum, to service, to client. Needs members with " +
        "echo.stages=true; see docs/MEASURING.md for its cost.")
    boolean isStaged;

    @Option(names = "--transport", paramLabel = "NAME", defaultValue = TransportNames.CLUSTER,
        completionCandidates = TransportNames.class,
        description = "What carries the messages: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private String transport;

    @Option(names = "--transport-set", paramLabel = "KEY=VALUE",
        description = "Setting of a peer's transport; repeatable.")
    private List<String> transportAssignments = List.of();

    @OptionGroup(OptionGroup.Heading.CONNECTION)
    @Option(names = "--endpoints", paramLabel = "LIST",
        description = "Ingress endpoints of the members, such as 0=host:port,1=host:port. Default: those of the cluster in " +
        "--base-dir, else those of a default cluster on this machine.")
    private String endpoints;

    @OptionGroup(OptionGroup.Heading.CONNECTION)
    @Option(names = "--egress", paramLabel = "HOST:PORT",
        description = "Egress address; port 0 means any port. Default: any port of the address from which this machine " +
        "reaches the first member.")
    private String egressEndpoint;

    @OptionGroup(OptionGroup.Heading.CONNECTION)
    @Option(names = "--mtu", paramLabel = "BYTES", converter = Converters.Size.class,
        description = "MTU of the client's channels. Default: the cluster's if known, else 1408.")
    private Long mtuLength;

    @OptionGroup(OptionGroup.Heading.CONNECTION)
    @Option(names = "--connect-timeout", paramLabel = "TIME", defaultValue = "10s", converter = Converters.Duration.class,
        description = "Connect timeout of a session; one of 10s or less ends after at most 1s if no ingress port of a local " +
        "cluster is bound. Default: ${DEFAULT-VALUE}.")
    private long connectTimeoutNs;

    @OptionGroup(OptionGroup.Heading.CONNECTION)
    @Option(names = "--new-leader-timeout", paramLabel = "TIME", converter = Converters.Duration.class,
        description = "Longest wait of a session for a new leader before it reconnects. Default: derived from the timeouts of " +
        "the cluster, at least 5 s; 30 s if they are unknown.")
    private Long newLeaderTimeoutNs;

    @OptionGroup(OptionGroup.Heading.CONNECTION)
    @Option(names = "--session-recovery", paramLabel = "MODE", defaultValue = "probe",
        description = "What a session does when its leader is unreachable: probe (open another session at once, while waiting " +
        "for a new leader) or wait (for --new-leader-timeout, as a plain AeronCluster client). Default: ${DEFAULT-VALUE}.")
    private SessionRecovery sessionRecovery;

    @OptionGroup(OptionGroup.Heading.CONNECTION)
    @Option(names = "--credentials-file", paramLabel = "FILE",
        description = "File with one line NAME:SECRET, readable by its owner only.")
    private Path credentialsFile;

    @OptionGroup(OptionGroup.Heading.CALIBRATION)
    @Option(names = "--memory-delay", paramLabel = "TIME", defaultValue = "100us", converter = Converters.Duration.class,
        description = "Delay of --transport memory. Default: ${DEFAULT-VALUE}.")
    private long delayNs;

    @OptionGroup(OptionGroup.Heading.CALIBRATION)
    @Option(names = "--memory-stall", paramLabel = "TIME@TIME", defaultValue = "0s@0s",
        description = "Stall of --transport memory: 1s@5s stalls for 1 s, 5 s after the start. Default: none.")
    private Stall stall;

    TargetConfig config()
    {
        return new TargetConfig(
            transport, transportAssignments, endpoints, egressEndpoint, clusterDir, inventoryFile, inventory(), placement,
            mtuLength, connectTimeoutNs, newLeaderTimeoutNs, sessionRecovery, credentialsFile, service, delayNs,
            stall.beginNs(), stall.lengthNs(), TargetConfig.Beside.NONE);
    }

    /** The inventory named on the command line, else that of the cluster in the base folder, else null. */
    private Inventory inventory()
    {
        if (null != inventoryFile)
        {
            return Inventory.read(inventoryFile);
        }

        return null == endpoints && TransportNames.isCluster(transport) ? Inventory.recordedIn(clusterDir).orElse(null) : null;
    }
}
