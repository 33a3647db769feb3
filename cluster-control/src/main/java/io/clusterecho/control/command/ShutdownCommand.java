package io.clusterecho.control.command;

import java.util.concurrent.Callable;

import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.LocalFailure;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Has a running cluster take a snapshot and end.
 */
@Command(
    name = "shutdown",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Has all members take a snapshot at the same position and end, and waits until they have.",
    footer = {
        "",
        "Exit codes: 0 all have ended in good order, 2 told something that cannot be used, 3 no leader, or not ended in time." })
public final class ShutdownCommand implements Callable<Integer>
{
    @Mixin
    private BaseDirOption base;

    @Option(
        names = "--deadline", paramLabel = "TIME", defaultValue = "60s",
        description = "How long to wait for the members to end (${DEFAULT-VALUE}).")
    private String deadline;

    @Override
    public Integer call()
    {
        final int count = base.requireCluster().shutdown(Deadline.parse("--deadline", deadline)).size();
        System.out.println("Shut down " + count + " members, each with a snapshot.");
        return LocalFailure.DONE;
    }
}
