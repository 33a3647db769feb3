package io.clusterecho.commands;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

import io.clusterecho.reporting.compare.Comparison;
import io.clusterecho.reporting.compare.ComparisonDocument;
import io.clusterecho.reporting.compare.ComparisonJunit;
import io.clusterecho.reporting.compare.ComparisonMarkdown;
import io.clusterecho.reporting.compare.ComparisonPlan;
import io.clusterecho.reporting.compare.ComparisonText;
import io.clusterecho.reporting.compare.Metric;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Says what has changed between two sets of runs, as far as it is proven.
 */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Compares two sets of runs, and says what is proven to have changed.",
    description = {
        "",
        "A run is the sample, not a message: it takes several runs of each set, best made in turn. Each metric is shown as " +
        "its median over the runs with a confidence interval; the test is that of Mann and Whitney, exact for up to 50 runs. " +
        "What is not proven, or too small to matter, is shown as ~.",
        "" },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
        " 0:nothing is proven to be worse", " 1:internal error",
        " 2:usage, or the sets cannot be compared: too few runs, runs that are not good, or other conditions",
        "99:a metric is proven to be worse by the minimum effect or more" })
final class CompareCommand implements Callable<Integer>
{
    @Parameters(arity = "0..2", paramLabel = "DIR",
        description = "A and B: folders that hold the folders of runs, down to four levels below, or files NAME.hdr of " +
        "aeron-io/benchmarks. B is judged, A is what it is compared with.")
    private List<Path> parents = List.of();

    @Option(names = "--a", arity = "1..*", paramLabel = "DIR", description = "Folders of the runs of A, or of such folders.")
    private List<Path> foldersOfA = List.of();

    @Option(names = "--b", arity = "1..*", paramLabel = "DIR", description = "Folders of the runs of B, or of such folders.")
    private List<Path> foldersOfB = List.of();

    @Option(names = "--metric", paramLabel = "LIST", defaultValue = Metric.USUAL, converter = Converters.Metrics.class,
        description = "What is compared, with names as in --assert: p50, p99.9, service.p99, delay.max, rate. " +
        "Default: ${DEFAULT-VALUE}.")
    private List<Metric> metrics;

    @Option(names = "--min-effect", paramLabel = "SHARE", defaultValue = "5%", converter = Converters.Share.class,
        description = "A smaller change of a median does not matter, be it proven or not. Default: ${DEFAULT-VALUE}.")
    private double minEffect;

    @Option(names = "--alpha", paramLabel = "SHARE", defaultValue = "5%", converter = Converters.Share.class,
        description = "Chance of calling any metric changed though nothing is. Default: ${DEFAULT-VALUE}.")
    private double alpha;

    @Option(names = "--allow-different", paramLabel = "KEY", split = ",",
        description = "Compare although this is not the same: size, rate, load, transport, durability, placement, " +
        "driver, profile, members, machine, accounts (closed or not known), or the name of a condition as cluster.echo.mtu.")
    private Set<String> allowed = Set.of();

    @Option(names = "--allow-failed", description = "Take failed and partial runs too, and pass over those that were killed.")
    private boolean isFailedAllowed;

    @Option(names = "--json", description = "Print the comparison as one JSON document.")
    private boolean isJson;

    @Option(names = "--markdown", paramLabel = "FILE", description = "Write it as Markdown too.")
    private Path markdown;

    @Option(names = "--junit", paramLabel = "FILE", description = "Write it as JUnit XML too.")
    private Path junit;

    @Override
    public Integer call()
    {
        if (alpha <= 0 || alpha >= 1)
        {
            throw new InvalidSettingException("--alpha", alpha, "more than 0%, for nothing is ever certain, and less than 100%");
        }
        final Comparison comparison =
            Comparison.of(folders(0, foldersOfA), folders(1, foldersOfB),
            new ComparisonPlan(metrics, minEffect, alpha, allowed, isFailedAllowed));
        if (null != markdown)
        {
            write("--markdown", markdown, ComparisonMarkdown.text(comparison));
        }
        if (null != junit)
        {
            write("--junit", junit, ComparisonJunit.xml(comparison));
        }
        System.out.print(isJson ? Documents.text(ComparisonDocument.of(comparison)) : ComparisonText.text(comparison));
        System.out.flush();
        return comparison.isRefused() ? ExitCode.USAGE :
            comparison.isRegression() ? ExitCode.THRESHOLD_FAILED : ExitCode.GOOD;
    }

    private List<Path> folders(final int index, final List<Path> named)
    {
        final boolean isPair = 2 == parents.size() && foldersOfA.isEmpty() && foldersOfB.isEmpty();
        final boolean isNamed = parents.isEmpty() && !foldersOfA.isEmpty() && !foldersOfB.isEmpty();
        if (!isPair && !isNamed)
        {
            throw new InvalidSettingException(
                "two sets are needed: either two folders A B, or --a DIR... and --b DIR...; given were " + parents.size() +
                " folders, " + foldersOfA.size() + " with --a and " + foldersOfB.size() + " with --b");
        }

        return isPair ? List.of(parents.get(index)) : named;
    }

    private static void write(final String option, final Path file, final String content)
    {
        try
        {
            Files.writeString(file, content, StandardCharsets.UTF_8);
        }
        catch (final IOException ex)
        {
            throw new InvalidSettingException(option, file, "a file that can be written (" + ex + ")");
        }
    }
}
