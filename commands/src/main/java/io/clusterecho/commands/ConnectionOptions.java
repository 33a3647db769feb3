package io.clusterecho.commands;

import java.nio.file.Path;

import io.clusterecho.client.transport.cluster.SessionRecovery;
import io.clusterecho.control.command.OptionGroup;

import picocli.CommandLine.Option;

/** How sessions with the cluster are opened and kept. */
@OptionGroup(OptionGroup.Heading.CONNECTION)
final class ConnectionOptions
{
    static final String ENDPOINTS = "--endpoints";
    static final String MTU = "--mtu";

    @Option(names = ENDPOINTS, paramLabel = "LIST",
        description = "Ingress endpoints of the members, such as 0=host:port,1=host:port. Default: those of the cluster in " +
        "--base-dir, else those of a default cluster on this machine.")
    String endpoints;

    @Option(names = "--egress", paramLabel = "HOST:PORT",
        description = "Egress address; port 0 means any port. Default: any port of the address from which this machine " +
        "reaches the first member.")
    String egressEndpoint;

    @Option(names = MTU, paramLabel = "BYTES", converter = Converters.Size.class,
        description = "MTU of the client's channels. Default: the cluster's if known, else 1408.")
    Long mtuLength;

    @Option(names = "--connect-timeout", paramLabel = "TIME", defaultValue = "10s", converter = Converters.Duration.class,
        description = "Connect timeout of a session; one of 10s or less ends after at most 1s if no ingress port of a local " +
        "cluster is bound. Default: ${DEFAULT-VALUE}.")
    long connectTimeoutNs;

    @Option(names = "--new-leader-timeout", paramLabel = "TIME", converter = Converters.Duration.class,
        description = "Longest wait of a session for a new leader before it reconnects. Default: derived from the timeouts of " +
        "the cluster, at least 5 s; 30 s if they are unknown.")
    Long newLeaderTimeoutNs;

    @Option(names = "--session-recovery", paramLabel = "MODE", defaultValue = "probe",
        description = "What a session does when its leader is unreachable: probe (open another session at once, while waiting " +
        "for a new leader) or wait (for --new-leader-timeout, as a plain AeronCluster client). Default: ${DEFAULT-VALUE}.")
    SessionRecovery sessionRecovery;

    @Option(names = "--credentials-file", paramLabel = "FILE",
        description = "File with one line NAME:SECRET, readable by its owner only.")
    Path credentialsFile;
}
