package io.clusterecho.commands;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import io.clusterecho.reporting.compare.ComparisonPlan;
import io.clusterecho.reporting.compare.Metric;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.Terminal;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Option;

/** How {@code compare} and {@code trend} judge, and where they print what they found. */
final class JudgeOptions
{
    @Option(names = "--min-effect", paramLabel = "SHARE", defaultValue = "5%",
        description = "Smallest change of a median that matters. Default: ${DEFAULT-VALUE}.")
    private double minEffect;

    @Option(names = "--alpha", paramLabel = "SHARE", defaultValue = "5%",
        description = "Significance level over all metrics. Default: ${DEFAULT-VALUE}.")
    private double alpha;

    @Option(names = "--allow-different", paramLabel = "KEY", split = ",",
        description = "Conditions that may differ: size, rate, load, transport, durability, placement, driver, profile, " +
        "members, machine, accounts (closed or unknown), or the name of a condition such as cluster.echo.mtu.")
    private Set<String> allowed = Set.of();

    @Option(names = "--allow-failed", description = "Include failed and partial results; skip runs that were killed.")
    private boolean isFailedAllowed;

    @Option(names = "--json", description = "Print the result, or an error, as one JSON document.")
    private boolean isJson;

    @Option(names = "--markdown", paramLabel = "FILE", converter = Converters.OutputFile.class,
        description = "Also write Markdown.")
    private Path markdown;

    @Option(names = "--junit", paramLabel = "FILE", converter = Converters.OutputFile.class,
        description = "Also write JUnit XML of the verdict.")
    private Path junit;

    ComparisonPlan plan(final List<Metric> metrics)
    {
        InvalidSettingException.throwIf(alpha <= 0 || alpha >= 1, "--alpha", alpha, "more than 0% and less than 100%");
        return new ComparisonPlan(metrics, minEffect, alpha, allowed, isFailedAllowed);
    }

    /** @param needed what {@code --junit} needs, for the error of one that does not have it. */
    void rejectJunit(final String needed)
    {
        InvalidSettingException.throwIf(null != junit, "--junit", junit, needed);
    }

    void print(
        final Object document, final String text, final Supplier<String> asMarkdown, final Supplier<String> asJunit)
    {
        if (null != markdown)
        {
            PrintOptions.write("--markdown", markdown, asMarkdown.get());
        }
        if (null != junit)
        {
            PrintOptions.write("--junit", junit, asJunit.get());
        }
        Terminal.print(isJson ? Documents.text(document) : text);
    }
}
