package io.clusterecho.control.command;

import java.util.concurrent.Callable;

import io.clusterecho.control.cluster.ClusterSnapshots;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Has a running cluster take a snapshot.
 */
@Command(
    name = "snapshot",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Asks the leader for a snapshot, and waits until all running members have taken it.",
    footer = { "", "Exit codes: 0 taken, 2 told something that cannot be used, 3 no leader, or not taken in time." })
public final class SnapshotCommand implements Callable<Integer>
{
    @Mixin
    private BaseDirOption base;

    @Option(
        names = "--deadline", paramLabel = "TIME", defaultValue = "60s",
        description = "How long to wait for the snapshot (${DEFAULT-VALUE}).")
    private String deadline;

    @Override
    public Integer call()
    {
        final int count = new ClusterSnapshots(base.requireCluster()).take(Deadline.parse("--deadline", deadline)).size();
        System.out.println("Snapshot taken by " + count + " members.");
        return ControlFailure.DONE;
    }
}
