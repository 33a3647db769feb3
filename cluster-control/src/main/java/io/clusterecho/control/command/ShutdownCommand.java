package io.clusterecho.control.command;

import java.util.concurrent.Callable;

import io.clusterecho.control.cluster.ClusterSnapshots;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shuts a cluster down cleanly: all members take a snapshot and stop. */
@Command(
    name = "shutdown",
    mixinStandardHelpOptions = true,
    header = "Shut the cluster down cleanly, with a snapshot.",
    description = {
        "",
        "All members take a snapshot at the same log position and stop; waits until they have stopped." },
    exitCodeList = {
        "  0:all members stopped cleanly",
        "  2:invalid option",
        "  3:no leader, or not stopped in time" })
@CommandHelp(examples = {
        "cluster-node shutdown" })
public final class ShutdownCommand implements Callable<Integer>
{
    @Mixin
    private BaseDirOption base;

    @Option(
        names = "--deadline", paramLabel = "TIME", defaultValue = "60s",
        description = "Time for the members to stop (default: ${DEFAULT-VALUE}).")
    private String deadline;

    @Override
    public Integer call()
    {
        final int count =
            new ClusterSnapshots(base.requireCluster()).takeAndShutDown(Deadline.parse("--deadline", deadline)).size();
        System.out.println("Shut down " + count + " members, each with a snapshot.");
        return ControlFailure.DONE;
    }
}
