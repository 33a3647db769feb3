package io.clusterecho.control.command;

import java.util.Optional;
import java.util.concurrent.Callable;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.member.ControlFailure;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Tells what the members on this machine do, without asking them.
 */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
        "Tells of each member: process, role, election, term, positions in the log, sessions, counters of the echo service,",
        "errors. Reads files of the members only; they do not notice." },
    footer = { "", "Exit codes: 0 all members run and follow one leader, 2 told something that cannot be used, 3 else." })
public final class StatusCommand implements Callable<Integer>
{
    @Mixin
    private BaseDirOption base;

    @Option(names = "--json", description = "Print one JSON document.")
    private boolean isJson;

    @Override
    public Integer call()
    {
        final Optional<Cluster> cluster = base.cluster();
        final StatusReport report = cluster.map(StatusReport::of).orElse(new StatusReport(java.util.List.of()));
        if (isJson)
        {
            System.out.println(report.asJson().put("baseDir", base.baseDir().toString()).toPrettyString());
        }
        else if (cluster.isEmpty())
        {
            System.out.println("No cluster was started in " + base.baseDir() + ".");
        }
        else
        {
            report.print(System.out);
        }

        return report.isWell() ? ControlFailure.DONE : ControlFailure.NOT_READY;
    }
}
