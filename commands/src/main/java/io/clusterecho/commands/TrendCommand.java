package io.clusterecho.commands;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.reporting.compare.Metric;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.report.ReportPage;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.reporting.results.Terminal;
import io.clusterecho.reporting.trend.Trend;
import io.clusterecho.reporting.trend.TrendDocument;
import io.clusterecho.reporting.trend.TrendJunit;
import io.clusterecho.reporting.trend.TrendPlan;
import io.clusterecho.reporting.trend.TrendText;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Command;
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
    private static final Path PAGE = Path.of("trend.html");

    @Parameters(arity = "1..*", paramLabel = "DIR", description = "Result folders, or folders of them, at most four levels deep.")
    private List<Path> folders;

    @Option(names = { "--output", "-o" }, paramLabel = "FILE", converter = Converters.OutputFile.class,
        description = "Page to write. Default: trend.html in this folder.")
    private Path output = PAGE;

    @Option(names = "--metric", paramLabel = "LIST", defaultValue = Metric.USUAL_OVER_TIME,
        converter = Converters.MetricsOverTime.class,
        description = "Metrics to show: those of compare, and max-rate and outage. Default: ${DEFAULT-VALUE}.")
    private List<Metric> metrics;

    @Option(names = "--gate", description = "Judge the newest commit: exit status 99 if it is worse than the level before it.")
    private boolean isGate;

    @Option(names = "--min-effect", paramLabel = "SHARE", defaultValue = "5%", converter = Converters.Share.class,
        description = "Smallest change of a median that matters to --gate. Default: ${DEFAULT-VALUE}.")
    private double minEffect;

    @Option(names = "--alpha", paramLabel = "SHARE", defaultValue = "5%", converter = Converters.Share.class,
        description = "Significance level of --gate over all metrics. Default: ${DEFAULT-VALUE}.")
    private double alpha;

    @Option(names = "--allow-different", paramLabel = "KEY", split = ",",
        description = "Conditions that may differ within a group, named as in compare.")
    private Set<String> allowed = Set.of();

    @Option(names = "--allow-failed", description = "Include failed and partial results; leave out unreadable ones from --gate.")
    private boolean isFailedAllowed;

    @Option(names = "--json", description = "Print the record, or an error, as one JSON document.")
    private boolean isJson;

    @Option(names = "--markdown", paramLabel = "FILE", converter = Converters.OutputFile.class,
        description = "Also write Markdown.")
    private Path markdown;

    @Option(names = "--junit", paramLabel = "FILE", converter = Converters.OutputFile.class,
        description = "Also write JUnit XML; needs --gate.")
    private Path junit;

    @Override
    public Integer call()
    {
        if (alpha <= 0 || alpha >= 1)
        {
            throw new InvalidSettingException("--alpha", alpha, "more than 0% and less than 100%");
        }
        if (null != junit && !isGate)
        {
            throw new InvalidSettingException("--junit", junit, "a file together with --gate, which makes the verdict");
        }
        final Trend trend =
            Trend.of(folders, new TrendPlan(metrics, minEffect, alpha, allowed, isFailedAllowed, isGate));
        ReportPage.writeTrend(output, TrendDocument.of(trend));
        if (null != markdown)
        {
            PrintOptions.write("--markdown", markdown, TrendText.markdown(trend));
        }
        if (null != junit)
        {
            PrintOptions.write("--junit", junit, TrendJunit.xml(trend));
        }
        Terminal.print(
            isJson ? Documents.text(TrendDocument.of(trend)) : TrendText.text(trend) + "report in " + output + "\n");
        return trend.isRefused() ? ExitCode.USAGE : trend.isRegression() ? ExitCode.THRESHOLD_FAILED : ExitCode.GOOD;
    }
}
