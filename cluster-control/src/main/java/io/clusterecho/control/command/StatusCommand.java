package io.clusterecho.control.command;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.cluster.RecordedClusters;
import io.clusterecho.control.member.ControlFailure;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the state of all members, read from their files. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    header = "Print the state of each member.",
    description = {
        "",
        "Process, role, election, leadership term, log positions, sessions, counters of the echo service and errors. Reads " +
        "files only; members are not disturbed." },
    exitCodeList = {
        "  0:all members run and follow one leader",
        "  2:invalid option or setting",
        "  3:otherwise" })
@CommandHelp(examples = {
        "cluster-node status",
        "cluster-node status --json" })
public final class StatusCommand implements Callable<Integer>
{
    @Mixin
    private BaseDirOption base;

    @Option(names = "--json", description = "Print the state, and an error, as JSON.")
    private boolean isJson;

    @Override
    public Integer call()
    {
        final Optional<Cluster> cluster = base.cluster();
        if (cluster.isEmpty())
        {
            RecordedClusters.checkNoneRuns(base.baseDir());
        }
        final StatusReport report = cluster.map(StatusReport::of).orElse(new StatusReport(List.of(), Optional.empty()));
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

        return report.isHealthy() ? ControlFailure.DONE : ControlFailure.NOT_READY;
    }
}
