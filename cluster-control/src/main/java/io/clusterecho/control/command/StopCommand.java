package io.clusterecho.control.command;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.cluster.RecordedClusters;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.Node;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Stops the members of a folder, and no other process. */
@Command(
    name = "stop",
    mixinStandardHelpOptions = true,
    header = "Stop the members of a cluster, and its backup.",
    description = {
        "",
        "SIGTERM, then SIGKILL after the deadline. Also stops a member of this folder that was started by hand, and no other " +
        "process. Removes their files from shared memory; logs, snapshots and output are kept." },
    exitCodeList = {
        "  0:no member runs any more",
        "  2:invalid option or setting, or no permission",
        "  3:a member still runs, or its host does not answer" })
@CommandHelp(examples = {
        "cluster-node stop",
        "cluster-node stop --base-dir /data/cluster" })
public final class StopCommand implements Callable<Integer>
{
    @Mixin
    private BaseDirOption base;

    @Option(
        names = "--deadline", paramLabel = "TIME", defaultValue = "25s",
        description = "Time for the members to stop before they are killed (default: ${DEFAULT-VALUE}).")
    private String deadline;

    @Option(
        names = "--delete-data",
        description = "Also delete the logs, snapshots and output of all members and of the backup.")
    private boolean deleteData;

    @Override
    public Integer call()
    {
        final Deadline end = Deadline.parse("--deadline", deadline);
        final Optional<Cluster> cluster = base.cluster();
        if (cluster.isEmpty())
        {
            RecordedClusters.checkNoneRuns(base.baseDir());
            System.out.println("Nothing runs in " + base.baseDir() + ".");
            return ControlFailure.DONE;
        }

        final Optional<Node> backup = cluster.get().backup();
        final boolean isBackupStopped = backup.map((found) -> found.knownPid().isPresent()).orElse(false);
        final List<ClusterMember> stopped = cluster.get().stop(end, System.err::println);
        final String names = (stopped.isEmpty() ? "" : "member " + stopped.stream()
            .map((member) -> String.valueOf(member.memberId())).collect(Collectors.joining(", "))) +
            (isBackupStopped ? (stopped.isEmpty() ? "" : " and ") + "the backup" : "");
        System.out.println(names.isEmpty() ? "Nothing runs in " + base.baseDir() + "." :
            "Stopped " + names + " of " + base.baseDir() + (deleteData ? "." : "; its data is kept."));
        if (deleteData)
        {
            cluster.get().deleteData().forEach((folder) -> System.out.println("Deleted " + folder));
        }

        return ControlFailure.DONE;
    }
}
