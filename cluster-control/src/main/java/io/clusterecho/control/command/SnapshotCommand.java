package io.clusterecho.control.command;

import java.util.concurrent.Callable;

import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Takes a snapshot of a running cluster. */
@Command(
    name = "snapshot",
    mixinStandardHelpOptions = true,
    header = "Take a snapshot of a running cluster.",
    description = {
        "",
        "Asks the leader, and waits until all running members have taken the snapshot." },
    exitCodeList = {
        "  0:taken",
        "  2:invalid option",
        "  3:no leader, or not taken in time" })
@CommandHelp(examples = {
        "cluster-node snapshot" })
public final class SnapshotCommand implements Callable<Integer>
{
    @Mixin
    private BaseDirOption base;

    @Option(
        names = "--deadline", paramLabel = "TIME", defaultValue = "60s",
        description = "Time for the snapshot (default: ${DEFAULT-VALUE}).")
    private String deadline;

    @Override
    public Integer call()
    {
        final int count = base.requireCluster(null).takeSnapshot(Deadline.parse("--deadline", deadline)).size();
        System.out.println("Snapshot taken by " + count + " members.");
        return ControlFailure.DONE;
    }
}
