package io.clusterecho.client.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.clusterecho.client.baseline.BaselineJson;
import io.clusterecho.client.maxrate.MaxRateJson;
import io.clusterecho.client.sweep.SweepJson;
import io.clusterecho.client.sweep.SweepRecord;

/**
 * What a page is about, read from folders.
 *
 * @param runs      single runs and failover tests, in the order of the page.
 * @param searches  for the highest rate, in the order of the page.
 * @param sweeps    in the order of the page.
 * @param baselines in the order of the page.
 */
record ReportContent(
    List<RunResult> runs, List<StoredDocument> searches, List<StoredDocument> sweeps, List<StoredDocument> baselines)
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

    private static final List<String> BASELINE_FIELDS = List.of(
        "/label", "/start", "/verdict/label", "/verdict/reasons", "/verdict/warnings", "/lengthBytes", "/udp", "/durability",
        "/commandLine", "/configuration");

    static ReportContent read(final List<Path> folders)
    {
        final List<Path> runFolders = new ArrayList<>();
        final List<StoredDocument> searches = new ArrayList<>();
        final List<StoredDocument> sweeps = new ArrayList<>();
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
            else if (Files.isRegularFile(folder.resolve(BaselineJson.FILE_NAME)))
            {
                baselines.add(ResultReader.readDocument(folder, BaselineJson.FILE_NAME, BaselineJson.FORMAT, BASELINE_FIELDS));
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
            searches,
            sweeps,
            baselines);
    }

    String title()
    {
        final List<String> verdicts = Stream.concat(
            runs.stream().map(RunResult::verdict),
            documents().map(StoredDocument::verdict)).toList();
        if (verdicts.size() > 1)
        {
            return verdicts.size() + (runs.size() == verdicts.size() ? " runs, " : " results, ") +
                verdicts.stream().filter("GOOD"::equals).count() + " good";
        }

        return verdicts.get(0) + " " + Stream.concat(
            runs.stream().map((run) -> run.manifest().path("label").asText()),
            documents().map(StoredDocument::label)).findFirst().orElseThrow();
    }

    private Stream<StoredDocument> documents()
    {
        return Stream.of(searches, sweeps, baselines).flatMap(List::stream);
    }
}
