package io.clusterecho.client.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.clusterecho.client.baseline.BaselineJson;
import io.clusterecho.client.foreign.ForeignResult;
import io.clusterecho.client.maxrate.MaxRateJson;
import io.clusterecho.client.results.StoredManifest;
import io.clusterecho.client.sweep.SweepJson;
import io.clusterecho.client.sweep.SweepRecord;

/**
 * What a page is about, read from folders.
 *
 * @param runs      single runs and failover tests, in the order of the page.
 * @param foreign   results of other load generators, behind the runs.
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
    private static final int MAX_INTERVAL_COUNT = 300;
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

    /** Written by the peers, which this module does not know. */
    private static final String SUITE_FILE_NAME = "suite.json";
    private static final String SUITE_FORMAT = "cluster-echo-suite/1";
    private static final List<String> SUITE_FIELDS = List.of(
        "/label", "/start", "/verdict/label", "/verdict/reasons", "/verdict/warnings", "/groups", "/commandLine");

    private static final List<String> BASELINE_FIELDS = List.of(
        "/label", "/start", "/verdict/label", "/verdict/reasons", "/verdict/warnings", "/lengthBytes", "/udp", "/durability",
        "/commandLine", "/configuration");

    static ReportContent read(final List<Path> folders)
    {
        final List<Path> runFolders = new ArrayList<>();
        final List<ForeignResult> foreign = new ArrayList<>();
        final List<StoredDocument> searches = new ArrayList<>();
        final List<StoredDocument> sweeps = new ArrayList<>();
        final List<StoredDocument> suites = new ArrayList<>();
        final List<StoredDocument> baselines = new ArrayList<>();
        for (final Path folder : folders)
        {
            if (Files.isRegularFile(folder.resolve(MaxRateJson.FILE_NAME)))
            {
                searches.add(ResultReader.readDocument(folder, MaxRateJson.FILE_NAME, MaxRateJson.FORMAT, SEARCH_FIELDS));
            }
            else if (Files.isRegularFile(folder.resolve(SweepRecord.FILE_NAME)))
            {
                sweeps.add(ResultReader.readDocument(folder, SweepRecord.FILE_NAME, SweepJson.FORMAT, SWEEP_FIELDS));
            }
            else if (Files.isRegularFile(folder.resolve(SUITE_FILE_NAME)))
            {
                suites.add(ResultReader.readDocument(folder, SUITE_FILE_NAME, SUITE_FORMAT, SUITE_FIELDS));
            }
            else if (Files.isRegularFile(folder.resolve(BaselineJson.FILE_NAME)))
            {
                baselines.add(ResultReader.readDocument(folder, BaselineJson.FILE_NAME, BaselineJson.FORMAT, BASELINE_FIELDS));
            }
            else if (isForeign(folder))
            {
                (Files.isDirectory(folder) ? ForeignResult.in(folder) : List.of(folder)).stream()
                    .map(ForeignResult::read).forEach(foreign::add);
            }
            else
            {
                runFolders.add(folder);
            }
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
            !Files.exists(path.resolve(StoredManifest.FILE_NAME)) && !ForeignResult.in(path).isEmpty() :
            Files.isRegularFile(path) && ForeignResult.isOne(path);
    }

    String title()
    {
        final List<Titled> all = Stream.of(
            runs.stream().map((run) -> new Titled(run.verdict(), run.manifest().path("label").asText())),
            foreign.stream().map((one) -> new Titled(
                one.manifest().at("/verdict/label").asText(), one.manifest().path("label").asText())),
            Stream.of(searches, sweeps, suites, baselines).flatMap(List::stream)
                .map((one) -> new Titled(one.verdict(), one.label()))).flatMap((stream) -> stream).toList();
        return 1 == all.size() ? all.get(0).verdict() + " " + all.get(0).label() :
            all.size() + (runs.size() + foreign.size() == all.size() ? " runs, " : " results, ") +
            all.stream().filter((one) -> "GOOD".equals(one.verdict())).count() + " good";
    }

    private record Titled(String verdict, String label)
    {
    }
}
