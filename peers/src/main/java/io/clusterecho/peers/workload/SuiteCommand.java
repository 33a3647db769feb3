package io.clusterecho.peers.workload;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import io.clusterecho.client.run.EndRequest;
import io.clusterecho.peers.PeerNames;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.published.PublishedFigures;
import io.clusterecho.reporting.report.ReportPage;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.ResultDocuments;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the suite. */
@Command(
    name = "suite",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Measure all systems under the workloads of public reports.",
    description = {
        "",
        "Compares the measured with the published ratios. Runs of different systems are interleaved. Each run starts its own " +
        "server and client processes on this machine. If interrupted, it keeps the completed runs.",
        "" },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = { "  0:each system completed a good run of each workload, or was shown not to sustain it", "  2:invalid usage",
        "  4:some did not, or the result is incomplete; see the report", "130:interrupted" })
public final class SuiteCommand implements Callable<Integer>
{
    private static final String RUNS = "runs.csv";
    private static final String REPORT = "report.md";

    @Spec
    private CommandSpec spec;

    @Option(names = "--full",
        description = "Use the published sizes, which take hours. Default: sizes for a small machine.")
    private boolean isFull;

    @Option(names = "--rounds", paramLabel = "N", description = "Runs of each cell. Default: 3, with --full 5.")
    private Integer rounds;

    @Option(names = "--only", paramLabel = "WORKLOAD", split = ",",
        description = "Workloads: ${COMPLETION-CANDIDATES}. Default: all.")
    private Set<Workload> loads = EnumSet.allOf(Workload.class);

    @Option(names = "--systems", paramLabel = "NAME", split = ",", description = "Systems to run. Default: all.")
    private List<String> systems = List.of();

    @Option(names = "--scale", paramLabel = "FACTOR", defaultValue = "1",
        description = "Factor on counts and durations. Default: ${DEFAULT-VALUE}.")
    private double scale;

    @Option(names = "--server-jvm", paramLabel = "FLAG",
        description = "Flag of the JVM of the peers' servers, or @FILE with several. Repeatable. The size of the heap is that " +
            "of the workload in any case. Default: none.")
    private List<String> serverFlags = List.of();

    @Option(names = "--base-port", paramLabel = "PORT", defaultValue = "21400",
        description = "First port of the servers. Default: ${DEFAULT-VALUE}.")
    private int firstPort;

    @Option(names = "--published", paramLabel = "FILE", defaultValue = "results/published/published.csv",
        description = "CSV file of published figures. Default: ${DEFAULT-VALUE}.")
    private Path publishedFile;

    @Option(names = "--output", paramLabel = "DIR", defaultValue = "results",
        description = "Parent of the result folder. Default: ${DEFAULT-VALUE}.")
    private Path output;

    @Option(names = "--label", paramLabel = "TEXT", defaultValue = "peers",
        description = "Name of the result folder. Default: ${DEFAULT-VALUE}.")
    private String label;

    private volatile boolean isInterrupted;

    @Override
    public Integer call()
    {
        final int roundCount = null == rounds ? isFull ? 5 : 3 : rounds;
        InvalidSettingException.throwIf(roundCount < 1, "--rounds", roundCount, "at least 1");
        InvalidSettingException.throwIf(scale <= 0, "--scale", scale, "greater than 0");
        InvalidSettingException.throwIf(
            !label.matches("[A-Za-z0-9._-]+"), "--label", label, "letters, digits, dot, dash and underscore");

        final SortedMap<String, String> skipped = new TreeMap<>();
        final List<WorkloadCell> cells = SuitePlan.cells(isFull, scale, loads, servedSystems(skipped));
        InvalidSettingException.throwIf(
            cells.isEmpty(), "--systems", String.join(",", systems),
            "a system that has one of the workloads of --only: " +
            loads.stream().map(Workload::label).collect(Collectors.joining(", ")));
        final CellFigures published = new CellFigures(PublishedFigures.read("--published", publishedFile));
        final Instant start = Instant.now();
        final ResultFolder folder = ResultFolder.create(output, label, start);
        final WorkloadCellRunner runner = new WorkloadCellRunner(
            folder.path().toAbsolutePath(), firstPort, serverFlags);
        EndRequest.onSignals().ends(
            () ->
            {
                isInterrupted = true;
                runner.interrupt();
            });

        final List<String> problems = new ArrayList<>();
        final List<CellResult> all = run(cells, roundCount, runner, folder, problems);
        final String size = isFull ? "full size" : "a size for a small machine";
        final String commandLine =
            "java -jar peers.jar " + String.join(" ", spec.root().commandLine().getParseResult().originalArgs());
        final SuiteFacts facts = new SuiteFacts(label, start, size, commandLine, isInterrupted, skipped);
        final ResultDocuments documents = documents(folder, all, published, facts);
        final Verdict verdict = documents.write((unwritten) ->
        {
            final List<String> both = new ArrayList<>(problems);
            both.addAll(unwritten);
            return SuiteReport.verdict(all, facts, both);
        });
        System.out.print(documents.text(REPORT));
        System.out.println("\nresults in " + folder.path());
        System.out.flush();
        return verdict.exitStatus();
    }

    /** The files of a suite's result folder. */
    static ResultDocuments documents(
        final ResultFolder folder, final List<CellResult> all, final CellFigures published, final SuiteFacts facts)
    {
        final ResultDocuments documents = new ResultDocuments(folder);
        documents.addFile(RUNS, () -> folder.write(RUNS, SuiteReport.csv(all)));
        documents.add(REPORT, (verdict) -> SuiteReport.markdown(all, published, facts, verdict));
        documents.add(DocumentKind.SUITE.fileName(), (verdict) ->
            Documents.text(SuiteDocument.of(all, published, facts, verdict)));
        documents.addPage(
            FileNames.PAGE,
            () -> ReportPage.write(folder.path().resolve(FileNames.PAGE), List.of(folder.path())));
        return documents;
    }

    /** Run group by group, and within a group round by round, which interleaves the systems. Ends early if a write fails. */
    private List<CellResult> run(
        final List<WorkloadCell> cells,
        final int roundCount,
        final WorkloadCellRunner runner,
        final ResultFolder folder,
        final List<String> problems)
    {
        final List<CellResult> all = new ArrayList<>();
        final Collection<List<WorkloadCell>> groups = cells.stream()
            .collect(Collectors.groupingBy(WorkloadCell::group, LinkedHashMap::new, Collectors.toList())).values();
        for (final List<WorkloadCell> group : groups)
        {
            for (int i = 0; i < group.size() * roundCount; i++)
            {
                final WorkloadCell cell = group.get(i % group.size());
                final int round = 1 + i / group.size();
                final CellResult measured = isInterrupted ? null : runner.run(cell, round);
                if (isInterrupted)
                {
                    return all;
                }
                all.add(measured);
                try
                {
                    folder.write(RUNS, SuiteReport.csv(all));
                }
                catch (final UncheckedIOException ex)
                {
                    problems.add("the suite ended early: " + ex.getMessage());
                    return all;
                }
                System.err.printf(
                    "[%d/%d] %s, %s, round %d: %s%n", all.size(), cells.size() * roundCount, cell.group(), cell.system(), round,
                    measured.outcome());
            }
        }

        return all;
    }

    /** Requested systems. Those that cannot run on this machine are not among them, but put into a map with the reason. */
    private Set<String> servedSystems(final SortedMap<String, String> skipped)
    {
        final Set<String> served = new TreeSet<>(systems.isEmpty() ? SuitePlan.systems() : systems);
        served.stream().filter((name) -> !SuitePlan.systems().contains(name)).findFirst().ifPresent((name) ->
        {
            throw new InvalidSettingException("--systems", name, "one of " + String.join(", ", SuitePlan.systems()));
        });
        PeerNames.peers().stream().filter((peer) -> served.contains(peer.name()))
            .forEach((peer) -> peer.missing().ifPresent((reason) -> skipped.put(peer.name(), reason)));
        served.removeAll(skipped.keySet());
        InvalidSettingException.throwIf(
            served.isEmpty(), "--systems", String.join(",", systems),
            "at least one system that can run on this machine; not here: " + String.join(", ", skipped.values()));
        skipped.forEach((name, reason) ->
            System.err.println(name + " is skipped, which counts neither as good nor as failed: " + reason));
        return served;
    }
}
