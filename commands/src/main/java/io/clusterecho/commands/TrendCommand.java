package io.clusterecho.commands;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.reporting.compare.Metric;
import io.clusterecho.reporting.compare.Trend;
import io.clusterecho.reporting.report.ReportPage;
import io.clusterecho.reporting.results.ExitCode;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows results of many commits or days over time. */
@Command(
    name = "trend",
    mixinStandardHelpOptions = true,
    header = "Show results over time, and where their level changed.",
    description = {
        "",
        "Runs, searches and failover tests of comparable conditions form a group; a point combines the results of one " +
        "commit on one day. A change of level needs eight points or more. With --gate the newest commit is compared with the " +
        "level before it." },
    exitCodeList = {
        "  0:written; with --gate: no significant regression, or too few results to decide",
        "  1:internal error",
        "  2:usage, no result, or with --gate: failed results of the newest commit, or results that cannot be read",
        " 99:with --gate: a metric is significantly worse, by --min-effect or more" })
@CommandHelp(
    examples = {
        "load-client trend results",
        "load-client trend results/nightly --gate --metric p99,max-rate --junit trend.xml" })
final class TrendCommand implements Callable<Integer>
{
    @Parameters(arity = "1..*", paramLabel = "DIR", description = "Result folders, or folders of them, at most four levels deep.")
    private List<Path> folders;

    @Option(names = { "--output", "-o" }, paramLabel = "FILE", converter = Converters.OutputFile.class,
        description = "Page to write. Default: trend.html in this folder.")
    private Path output = Path.of("trend.html");

    @Option(names = "--metric", paramLabel = "LIST", defaultValue = Metric.USUAL_OVER_TIME,
        converter = Converters.Metrics.class,
        description = "Metrics to show: those of compare, and max-rate and outage. Default: ${DEFAULT-VALUE}.")
    private List<Metric> metrics;

    @Option(names = "--gate", description = "Judge the newest commit: exit status 99 if it is worse than the level before it.")
    private boolean isGate;

    @Mixin
    private JudgeOptions judge;

    @Override
    public Integer call()
    {
        if (!isGate)
        {
            judge.rejectJunit("a file together with --gate, which makes the verdict");
        }
        final Trend trend = Trend.of(folders, judge.plan(metrics), isGate);
        ReportPage.writeTrend(output, trend);
        judge.print(trend, trend.text(false) + "report in " + output + "\n", () -> trend.text(true), trend::junit);
        return trend.isRefused() ? ExitCode.USAGE : trend.isRegression() ? ExitCode.THRESHOLD_FAILED : ExitCode.GOOD;
    }
}
