package io.clusterecho.control.command;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Stops the members that {@link StartCommand} started, and no other process.
 */
@Command(
    name = "stop",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
        "Stops the members that start has started (SIGTERM, and SIGKILL after a deadline), and removes what they leave in",
        "shared memory. Logs, snapshots and output stay." },
    footer = { "", "Exit codes: 0 nothing runs any more, 2 told something that cannot be used." })
public final class StopCommand implements Callable<Integer>
{
    @Mixin
    private BaseDirOption base;

    @Option(
        names = "--deadline", paramLabel = "TIME", defaultValue = "25s",
        description = "How long members may take before they are killed (${DEFAULT-VALUE}).")
    private String deadline;

    @Option(names = "--delete-data", description = "Then delete the logs, snapshots and output of all members.")
    private boolean deleteData;

    @Override
    public Integer call()
    {
        final Deadline end = Deadline.parse("--deadline", deadline);
        final Optional<Cluster> cluster = base.cluster();
        if (cluster.isEmpty())
        {
            System.out.println("Nothing runs in " + base.baseDir() + ".");
            return ControlFailure.DONE;
        }

        final List<ClusterMember> stopped = cluster.get().stop(end, System.err::println);
        System.out.println(stopped.isEmpty() ? "Nothing runs in " + base.baseDir() + "." : "Stopped member " + stopped.stream()
            .map((member) -> String.valueOf(member.memberId())).collect(Collectors.joining(", ")) + " of " + base.baseDir() +
            (deleteData ? "." : "; its data is kept."));
        if (deleteData)
        {
            for (final Path folder : cluster.get().deleteData())
            {
                System.out.println("Deleted " + folder);
            }
        }

        return ControlFailure.DONE;
    }
}
