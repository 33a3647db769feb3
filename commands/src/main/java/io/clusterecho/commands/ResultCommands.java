package io.clusterecho.commands;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.failover.audit.AuditReport;
import io.clusterecho.failover.audit.AuditText;
import io.clusterecho.failover.audit.Auditor;
import io.clusterecho.failover.audit.RequestIndex;
import io.clusterecho.reporting.compare.Comparison;
import io.clusterecho.reporting.compare.ComparisonPlan;
import io.clusterecho.reporting.compare.Metric;
import io.clusterecho.reporting.compare.SelfComparison;
import io.clusterecho.reporting.compare.Trend;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.report.ReportPage;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.SettingKeys;
import io.clusterecho.settings.Settings;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands that read stored results and logs, each a method with its options. */
final class ResultCommands
{
    private static final int MAX_MEMBERS = 99;

    /** The command of that name, for a command line. */
    static Method named(final String name)
    {
        return CommandLine.getCommandMethods(ResultCommands.class, name).get(0);
    }

    @Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        header = "Check in the logs what happened to every message.",
        description = {
            "",
            "Reads every member's log, whether the member is stopped, was killed or runs. What a majority holds is applied by " +
            "the rules of the echo service and compared with the clients' journals. Nothing is changed." },
        exitCodeList = {
            "  0:clean",
            "  1:internal error",
            "  2:usage: the message names the option, its value and what is allowed",
            "  4:findings" })
    @CommandHelp(
        examples = {
            "load-client audit --base-dir cluster-data",
            "load-client audit --journal results/20261122-101500-failover/journal.bin m0 m1 m2" })
    static int audit(
        @Option(names = "--base-dir", paramLabel = "DIR", defaultValue = "cluster-data",
            description = "Base folder of a cluster, with member-0, member-1, ... Default: ${DEFAULT-VALUE}.")
        final Path clusterDir,
        @Option(names = "--journal", paramLabel = "FILE", description = "Journal of a client; repeatable.")
        final List<Path> journals,
        @Option(names = "--json", description = "Print the report, or an error, as one JSON document.") final boolean isJson,
        @Parameters(paramLabel = "DIR", arity = "0..*",
            description = "Folders of all members of the cluster. Default: those in --base-dir.")
        final List<Path> folders)
    {
        final List<Path> members = null == folders ? memberFolders(clusterDir) : folders;
        final Path settings = members.get(0).toAbsolutePath().normalize().resolveSibling("cluster.properties");
        final boolean isOfEcho =
            !Files.isRegularFile(settings) || Settings.load(settings).getOrDefault(SettingKeys.SERVICE_CLASS, "").isEmpty();
        final AuditReport report = isOfEcho || null != journals ? Auditor.audit(members, orNone(journals)) :
            Auditor.audit(members, List.of(), RequestIndex.UNKNOWN);
        System.out.print(isJson ? Documents.text(report) : AuditText.text(report));
        return report.isClean() ? ExitCode.GOOD : ExitCode.RUN_FAILED;
    }

    private static List<Path> memberFolders(final Path clusterDir)
    {
        final Path settings = clusterDir.resolve("cluster.properties");
        InvalidSettingException.throwIf(
            Files.isRegularFile(settings) && "plain".equals(Settings.load(settings).get(SettingKeys.SERVICE)), "--base-dir",
            clusterDir, "the folder of a cluster with echo.service=echo: the plain service cannot be audited");

        final List<Path> members = IntStream.range(0, MAX_MEMBERS).mapToObj((id) -> clusterDir.resolve("member-" + id))
            .filter(Files::isDirectory).toList();
        InvalidSettingException.throwIf(
            members.isEmpty(), "--base-dir", clusterDir, "a folder with member-0, member-1, ... in it");

        return members;
    }

    @Command(
        name = "report",
        mixinStandardHelpOptions = true,
        header = "Put runs, searches and sweeps into one HTML file.",
        description = {
            "",
            "The file needs no network and no other file. With several results it overlays their curves and lists what " +
            "differs; failover tests, searches, sweeps and suites have charts of their own. A folder of result folders makes " +
            "an index that compares machines." },
        exitCodeList = {
            "  0:written",
            "  1:internal error",
            "  2:usage, or a folder without a result" })
    @CommandHelp(
        examples = {
            "load-client report results/20261122-101500-run",
            "load-client report results/before results/after --output both.html" })
    static int report(
        @Parameters(arity = "1..*", paramLabel = "DIR",
            description = "Result folders, in the order of the page; also NAME.hdr files of aeron-io/benchmarks, or folders of " +
            "them.")
        final List<Path> folders,
        @Option(names = { "--output", "-o" }, paramLabel = "FILE", converter = PrintOptions.OutputFile.class,
            description = "File to write. Default: report.html, in the result folder if there is one, else in this folder.")
        final Path output)
    {
        final boolean isOfOne = 1 == folders.size() && Files.isDirectory(folders.get(0));
        final Path byDefault = isOfOne ? folders.get(0).resolve(FileNames.PAGE) : Path.of(FileNames.PAGE);
        final Path page = null == output ? byDefault : output;
        ReportPage.write(page, folders);
        System.out.println("report in " + page);
        return ExitCode.GOOD;
    }

    @Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        header = "Compare two sets of runs and report significant changes.",
        description = {
            "",
            "The sample is a start of the members, not a run or a message: each set needs several starts, best made " +
            "alternately. Each metric is shown as its median over the starts, of the median run of each, with a confidence " +
            "interval; the test is Mann-Whitney, exact up to 20 starts of the smaller set. A change that is not significant, " +
            "or smaller than --min-effect, is shown as ~." },
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
    static int compare(
        @Parameters(arity = "0..*", paramLabel = "DIR",
            description = "A and B: folders of result folders, at most four levels deep, or NAME.hdr files of " +
            "aeron-io/benchmarks. B is compared with A.")
        final List<Path> parents,
        @Option(names = "--a", arity = "1..*", paramLabel = "DIR",
            description = "Folders of the runs of A, or of such folders.")
        final List<Path> foldersOfA,
        @Option(names = "--b", arity = "1..*", paramLabel = "DIR",
            description = "Folders of the runs of B, or of such folders.")
        final List<Path> foldersOfB,
        @Option(names = "--aa",
            description = "Compare the runs of one set-up with themselves: split their starts into halves, and print how often " +
            "these are called different, and how far apart chance puts them.")
        final boolean isSelf,
        @Option(names = "--metric", paramLabel = "LIST", defaultValue = Metric.USUAL, converter = Metrics.class,
            description = "Metrics to compare, named as in --assert: p50, p99.9, service.p99, delay.max, rate. " +
            "Default: ${DEFAULT-VALUE}.")
        final List<Metric> metrics,
        @Mixin final JudgeOptions judge)
    {
        final ComparisonPlan plan = judge.plan(metrics);
        final List<Path> pair = orNone(parents);
        final List<Path> a = orNone(foldersOfA);
        final List<Path> b = orNone(foldersOfB);
        if (isSelf)
        {
            judge.rejectJunit("a file without --aa, which makes no verdict");
            InvalidSettingException.throwIf(
                pair.isEmpty() || !a.isEmpty() || !b.isEmpty(),
                "--aa takes one or more folders DIR of one set-up, and no --a or --b");
            final SelfComparison self = SelfComparison.of(pair, plan);
            judge.print(self, self.text(false), () -> self.text(true), null);
            return self.refusals().isEmpty() ? ExitCode.GOOD : ExitCode.USAGE;
        }
        final boolean isPair = 2 == pair.size() && a.isEmpty() && b.isEmpty();
        InvalidSettingException.throwIf(
            !isPair && (!pair.isEmpty() || a.isEmpty() || b.isEmpty()),
            "two sets are needed: either two folders A B, or --a DIR... and --b DIR...; given were " + pair.size() +
            " folders, " + a.size() + " with --a and " + b.size() + " with --b");
        final Comparison comparison =
            isPair ? Comparison.of(pair.subList(0, 1), pair.subList(1, 2), plan) : Comparison.of(a, b, plan);
        judge.print(comparison, comparison.text(false), () -> comparison.text(true), comparison::junit);
        return comparison.isRefused() ? ExitCode.USAGE :
            comparison.isRegression() ? ExitCode.THRESHOLD_FAILED : ExitCode.GOOD;
    }

    @Command(
        name = "trend",
        mixinStandardHelpOptions = true,
        header = "Show results over time, and where their level changed.",
        description = {
            "",
            "Runs, searches and failover tests of comparable conditions form a group; a point combines the results of one " +
            "commit on one day. A change of level needs twelve points or more. With --gate the newest commit is compared with " +
            "the level before it." },
        exitCodeList = {
            "  0:written; with --gate: no significant regression, or too few results to decide",
            "  1:internal error",
            "  2:usage, no result, or with --gate: failed results of the newest commit, or results that cannot be read",
            " 99:with --gate: a metric is significantly worse, by --min-effect or more" })
    @CommandHelp(
        examples = {
            "load-client trend results",
            "load-client trend results/nightly --gate --metric p99,max-rate --junit trend.xml" })
    static int trend(
        @Parameters(arity = "1..*", paramLabel = "DIR",
            description = "Result folders, or folders of them, at most four levels deep.")
        final List<Path> folders,
        @Option(names = { "--output", "-o" }, paramLabel = "FILE", converter = PrintOptions.OutputFile.class,
            description = "Page to write. Default: trend.html in this folder.")
        final Path output,
        @Option(names = "--metric", paramLabel = "LIST", defaultValue = Metric.USUAL_OVER_TIME,
            converter = Metrics.class,
            description = "Metrics to show: those of compare, and max-rate and outage. Default: ${DEFAULT-VALUE}.")
        final List<Metric> metrics,
        @Option(names = "--gate",
            description = "Judge the newest commit: exit status 99 if it is worse than the level before it.")
        final boolean isGate,
        @Mixin final JudgeOptions judge)
    {
        if (!isGate)
        {
            judge.rejectJunit("a file together with --gate, which makes the verdict");
        }
        final Trend trend = Trend.of(folders, judge.plan(metrics), isGate);
        final Path page = null == output ? Path.of("trend.html") : output;
        ReportPage.writeTrend(page, trend);
        judge.print(trend, trend.text(false) + "report in " + page + "\n", () -> trend.text(true), trend::junit);
        return trend.isRefused() ? ExitCode.USAGE : trend.isRegression() ? ExitCode.THRESHOLD_FAILED : ExitCode.GOOD;
    }

    /** Picocli hands no list to a method where none is given. */
    private static List<Path> orNone(final List<Path> given)
    {
        return null == given ? List.of() : given;
    }

    /** Converts metrics of a comparison. */
    private static final class Metrics implements ITypeConverter<List<Metric>>
    {
        @Override
        public List<Metric> convert(final String text)
        {
            return LoadCommand.convert(text, Metric::parse);
        }
    }

    /** How {@code compare} and {@code trend} judge, and where they print what they found. */
    static final class JudgeOptions
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

        @Option(names = "--markdown", paramLabel = "FILE", converter = PrintOptions.OutputFile.class,
            description = "Also write Markdown.")
        private Path markdown;

        @Option(names = "--junit", paramLabel = "FILE", converter = PrintOptions.OutputFile.class,
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
            System.out.print(isJson ? Documents.text(document) : text);
        }
    }
}
