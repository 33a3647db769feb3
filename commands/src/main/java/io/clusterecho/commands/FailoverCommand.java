package io.clusterecho.commands;

import java.util.List;
import java.util.Map;

import io.clusterecho.client.run.LoadOption;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.failover.lab.FaultSpec;
import io.clusterecho.failover.lab.PlannedFault;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Faults under load, on a cluster of this machine. */
@Command(
    name = "failover",
    header = "Inject faults under load, and audit what was lost.",
    description = {
        "",
        "Uses the cluster that runs in --base-dir, or starts one there and stops it afterwards. Messages are sent at " +
        "their intended times throughout, which measures each outage. At the end the members' logs are compared with the " +
        "client's journal of acknowledged messages." })
@CommandHelp(
    examples = {
        "load-client failover",
        "load-client failover --cycles 20 --timeouts fast --assert 'outage.max<5s'",
        "load-client failover --fault kill,pause,partition --victim leader,follower --cycles 6" },
    mostUsed = {
        "--fault", "--victim", "--cycles", "--timeouts", "--return-after", "--rate", "--size", "--delivery", "--label",
        "--json" },
    declared = { FailoverCommand.Cycles.class, FaultCommand.Injection.class })
public final class FailoverCommand extends FaultCommand
{
    @Option(names = "--fault", paramLabel = "LIST", defaultValue = "kill", split = ",",
        description = "Faults, such as kill,pause,partition; a list is used round-robin. kill (SIGKILL), kill-again:TIME (and " +
        "again, TIME after the restart), kill-in-snapshot:TIME (TIME after the snapshot was requested), term (SIGTERM), " +
        "pause (SIGSTOP), wipe (SIGKILL, data deleted), partition (all datagrams dropped), partition-inbound, " +
        "partition-outbound, partition-pair (of leader and follower), partition-clients, link-loss:10%%, link-delay:20ms, " +
        "link-jitter:20ms, link-duplicate:10%%, link-reorder:10%% (of datagrams received), power-loss (SIGKILL, unsynced " +
        "data lost), disk-stall, disk-full, slow-disk:TIME, write-stall, sync-error:COUNT, disk-full-after:SIZE, " +
        "clock-step:TIME (slow-disk to clock-step need a fault library), file-limit:COUNT or script (--fault-script). " +
        "Default: ${DEFAULT-VALUE}.")
    private List<FaultSpec> faults;

    @Option(names = "--victim", paramLabel = "LIST", defaultValue = "leader", split = ",",
        description = "leader, follower, followers (all), all, each (round-robin), or a member id; a list is used round-robin. " +
        "Default: ${DEFAULT-VALUE}.")
    private List<String> victims;

    /** Number of faults. */
    record Cycles(
        @LoadOption(names = "--cycles", label = "N", byDefault = "5", kind = LoadOption.Kind.COUNT,
            text = "Number of faults. Default: ${DEFAULT-VALUE}.")
        int count,
        @LoadOption(names = "--for", label = "TIME", byDefault = "0s", kind = LoadOption.Kind.TIME,
            text = "Start new cycles for this long, instead of --cycles. Default: off.")
        long durationNs)
    {
    }

    @Override
    public Integer call()
    {
        final Cycles cycles = options.read(Cycles.class, Map.of());
        return execute(
            faults, victims, PlannedFault.roundRobin(faults, victims, seed()), cycles.count, cycles.durationNs);
    }
}
