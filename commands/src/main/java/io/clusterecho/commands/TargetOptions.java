package io.clusterecho.commands;

import java.nio.file.Path;
import java.util.List;

import io.clusterecho.client.run.TargetConfig;
import io.clusterecho.client.run.TransportNames;
import io.clusterecho.control.command.OptionGroup;

import picocli.CommandLine.Option;

/** Which cluster, or other system, the load goes to. */
@OptionGroup(OptionGroup.Heading.CLUSTER)
final class TargetOptions
{
    static final String TRANSPORT = "--transport";
    static final String STAGES = "--stages";

    @Option(names = "--base-dir", paramLabel = "DIR", defaultValue = "cluster-data",
        description = "Base folder of the cluster, for its endpoints and settings. Default: ${DEFAULT-VALUE}.")
    Path clusterDir;

    @Option(names = "--inventory", paramLabel = "FILE",
        description = "Hosts of the cluster in --base-dir; see docs/MANY-HOSTS.md. Default: the inventory with which it was " +
        "started from this machine.")
    Path inventoryFile;

    @Option(names = "--placement", paramLabel = "NAME|FILE",
        description = "Emulated placement of members and client: cluster, partition or a file of zones. Default: that of the " +
        "cluster in --base-dir.")
    String placement;

    @Option(names = "--service", paramLabel = "NAME",
        description = "Service of the members: echo (checks and applies each message once) or plain (sends bytes back; no " +
        "exactly-once delivery, no audit). Default: the cluster's if known, else echo.")
    TargetConfig.Service service;

    @Option(names = STAGES,
        description = "Report the time of each stage: to leader, log, quorum, to service, to client. Needs members with " +
        "echo.stages=true; see docs/MEASURING.md for its cost.")
    boolean isStaged;

    @Option(names = TRANSPORT, paramLabel = "NAME", defaultValue = TransportNames.CLUSTER,
        completionCandidates = TransportNames.class,
        description = "What carries the messages: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    String transport;

    @Option(names = "--transport-set", paramLabel = "KEY=VALUE",
        description = "Setting of a peer's transport; repeatable.")
    List<String> transportAssignments = List.of();
}
