package io.clusterecho.commands;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.reporting.compare.Comparison;
import io.clusterecho.reporting.compare.ComparisonPlan;
import io.clusterecho.reporting.compare.Metric;
import io.clusterecho.reporting.compare.SelfComparison;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares two sets of runs. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    header = "Compare two sets of runs and report significant changes.",
    description = {
        "",
        "The sample is a start of the members, not a run or a message: each set needs several starts, best made " +
        "alternately. Each metric is shown as its median over the starts, of the median run of each, with a confidence " +
        "interval; the test is Mann-Whitney, exact up to 20 starts of the smaller set. A change that is not significant, or " +
        "smaller than --min-effect, is shown as ~." },
    exitCodeList = {
        "  0:no significant regression",
        "  1:internal error",
        "  2:usage, or sets that cannot be compared: too few starts, failed runs, or different conditions",
        " 99:a metric is significantly worse, by --min-effect or more" })
@CommandHelp(
    examples = {
        "load-client compare results/before results/after",
        "load-client compare results/main results/branch --metric p99,rate --min-effect 10% --junit compare.xml",
        "load-client compare --aa results/main --metric p99" })
final class CompareCommand implements Callable<Integer>
{
    @Parameters(arity = "0..*", paramLabel = "DIR",
        description = "A and B: folders of result folders, at most four levels deep, or NAME.hdr files of " +
        "aeron-io/benchmarks. B is compared with A.")
    private List<Path> parents = List.of();

    @Option(names = "--a", arity = "1..*", paramLabel = "DIR", description = "Folders of the runs of A, or of such folders.")
    private List<Path> foldersOfA = List.of();

    @Option(names = "--b", arity = "1..*", paramLabel = "DIR", description = "Folders of the runs of B, or of such folders.")
    private List<Path> foldersOfB = List.of();

    @Option(names = "--aa",
        description = "Compare the runs of one set-up with themselves: split their starts into halves, and print how often " +
        "these are called different, and how far apart chance puts them.")
    private boolean isSelf;

    @Option(names = "--metric", paramLabel = "LIST", defaultValue = Metric.USUAL, converter = Converters.Metrics.class,
        description = "Metrics to compare, named as in --assert: p50, p99.9, service.p99, delay.max, rate. " +
        "Default: ${DEFAULT-VALUE}.")
    private List<Metric> metrics;

    @Mixin
    private JudgeOptions judge;

    @Override
    public Integer call()
    {
        final ComparisonPlan plan = judge.plan(metrics);
        if (isSelf)
        {
            judge.rejectJunit("a file without --aa, which makes no verdict");
            InvalidSettingException.throwIf(
                parents.isEmpty() || !foldersOfA.isEmpty() || !foldersOfB.isEmpty(),
                "--aa takes one or more folders DIR of one set-up, and no --a or --b");
            final SelfComparison self = SelfComparison.of(parents, plan);
            judge.print(self, self.text(false), () -> self.text(true), null);
            return self.refusals().isEmpty() ? ExitCode.GOOD : ExitCode.USAGE;
        }
        final Comparison comparison = Comparison.of(folders(0, foldersOfA), folders(1, foldersOfB), plan);
        judge.print(comparison, comparison.text(false), () -> comparison.text(true), comparison::junit);
        return comparison.isRefused() ? ExitCode.USAGE :
            comparison.isRegression() ? ExitCode.THRESHOLD_FAILED : ExitCode.GOOD;
    }

    private List<Path> folders(final int index, final List<Path> named)
    {
        final boolean isPair = 2 == parents.size() && foldersOfA.isEmpty() && foldersOfB.isEmpty();
        final boolean isNamed = parents.isEmpty() && !foldersOfA.isEmpty() && !foldersOfB.isEmpty();
        InvalidSettingException.throwIf(
            !isPair && !isNamed,
            "two sets are needed: either two folders A B, or --a DIR... and --b DIR...; given were " + parents.size() +
            " folders, " + foldersOfA.size() + " with --a and " + foldersOfB.size() + " with --b");

        return isPair ? List.of(parents.get(index)) : named;
    }
}
