package io.clusterecho.reporting.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.reporting.foreign.ForeignResult;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.settings.InvalidSettingException;

/**
 * The results of a page, read from folders.
 *
 * @param runs      single runs and failover tests, in the order of the page.
 * @param foreign   results of other load generators, after the runs.
 * @param searches  for the highest rate, in the order of the page.
 * @param sweeps    in the order of the page.
 * @param suites    of peers, in the order of the page.
 * @param baselines in the order of the page.
 */
record ReportContent(
    List<RunResult> runs,
    List<ForeignResult> foreign,
    List<StoredDocument> searches,
    List<StoredDocument> sweeps,
    List<StoredDocument> suites,
    List<StoredDocument> baselines)
{
    static final int MAX_INTERVAL_COUNT = 300;
    private static final int MIN_INTERVAL_COUNT = 60;
    private static final int INTERVALS_OF_ALL_RUNS = 4_000;
    private static final int MIN_TIMELINE_COUNT = 2;
    private static final int TIMELINES_OF_ALL_RUNS = 24;
    private static final List<String> SEARCH_FIELDS = List.of(
        "/label", "/start", "/verdict/label", "/verdict/reasons", "/verdict/warnings", "/slo", "/answer/ratePerSecond",
        "/answer/spread", "/limit/by", "/limit/reason", "/steps", "/durability", "/commandLine", "/configuration");

    private static final List<String> SWEEP_FIELDS = List.of(
        "/label", "/start", "/verdict/label", "/verdict/reasons", "/verdict/warnings", "/plan/dimensions", "/cells", "/ratios",
        "/runs", "/durability", "/commandLine", "/configuration");

    private static final List<String> SUITE_FIELDS = List.of(
        "/label", "/start", "/verdict/label", "/verdict/reasons", "/verdict/warnings", "/groups", "/commandLine");

    private static final List<String> BASELINE_FIELDS = List.of(
        "/label", "/start", "/verdict/label", "/verdict/reasons", "/verdict/warnings", "/lengthBytes", "/udp", "/durability",
        "/commandLine", "/configuration");

    static ReportContent read(final List<Path> folders)
    {
        final List<Path> runFolders = new ArrayList<>();
        final List<Path> foreignFiles = new ArrayList<>();
        final List<StoredDocument> searches = new ArrayList<>();
        final List<StoredDocument> sweeps = new ArrayList<>();
        final List<StoredDocument> suites = new ArrayList<>();
        final List<StoredDocument> baselines = new ArrayList<>();
        for (final Path folder : folders)
        {
            if (Files.isRegularFile(folder.resolve(DocumentKind.MAX_RATE.fileName())))
            {
                searches.add(ResultReader.readDocument(folder, DocumentKind.MAX_RATE, SEARCH_FIELDS));
            }
            else if (Files.isRegularFile(folder.resolve(DocumentKind.SWEEP.fileName())))
            {
                sweeps.add(ResultReader.readDocument(folder, DocumentKind.SWEEP, SWEEP_FIELDS));
            }
            else if (Files.isRegularFile(folder.resolve(DocumentKind.SUITE.fileName())))
            {
                suites.add(ResultReader.readDocument(folder, DocumentKind.SUITE, SUITE_FIELDS));
            }
            else if (Files.isRegularFile(folder.resolve(DocumentKind.BASELINE.fileName())))
            {
                baselines.add(ResultReader.readDocument(folder, DocumentKind.BASELINE, BASELINE_FIELDS));
            }
            else if (isForeign(folder))
            {
                foreignFiles.addAll(Files.isDirectory(folder) ? ForeignResult.in(folder) : List.of(folder));
            }
            else
            {
                runFolders.add(folder);
            }
        }

        final List<ForeignResult> foreign = ForeignResult.read(foreignFiles);
        if (!foreign.isEmpty() && folders.stream().allMatch(ReportContent::isForeign) &&
            foreign.stream().allMatch(ForeignResult::isEmpty))
        {
            throw new InvalidSettingException(foreignFiles.stream().map(Path::toString).collect(Collectors.joining(", ")) +
                " contains no histogram");
        }

        final int count = Math.max(1, runFolders.size());
        final int maxIntervalCount = Math.max(MIN_INTERVAL_COUNT, Math.min(MAX_INTERVAL_COUNT, INTERVALS_OF_ALL_RUNS / count));
        final int maxTimelineCount = Math.max(MIN_TIMELINE_COUNT, TIMELINES_OF_ALL_RUNS / count);
        return new ReportContent(
            runFolders.stream().map((folder) -> ResultReader.read(folder, maxIntervalCount, maxTimelineCount)).toList(),
            foreign,
            searches,
            sweeps,
            suites,
            baselines);
    }

    private static boolean isForeign(final Path path)
    {
        return Files.isDirectory(path) ?
            !Files.exists(path.resolve(DocumentKind.RUN.fileName())) && !ForeignResult.in(path).isEmpty() :
            Files.isRegularFile(path) && ForeignResult.isOne(path);
    }

    String title()
    {
        final List<Titled> all = Stream.of(
            runs.stream().map((run) -> new Titled(run.verdict(), run.manifest().path("label").asText())),
            foreign.stream().map((one) -> new Titled(
                one.manifest().at("/verdict/label").asText(), one.manifest().path("label").asText())),
            suites.stream().map((suite) -> new Titled(SuiteFindings.of(suite.document()).verdict(), suite.label())),
            Stream.of(searches, sweeps, baselines).flatMap(List::stream)
                .map((one) -> new Titled(one.verdict(), one.label()))).flatMap((stream) -> stream).toList();
        return 1 == all.size() ? all.get(0).verdict() + " " + all.get(0).label() :
            all.size() + (runs.size() + foreign.size() == all.size() ? " runs, " : " results, ") +
            all.stream().filter((one) -> "GOOD".equals(one.verdict())).count() + " good";
    }

    private record Titled(String verdict, String label)
    {
    }
}
