package io.clusterecho.reporting.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
 * @param documents of several runs, and baselines; those of a kind in the order of the page.
 */
record ReportContent(
    List<RunResult> runs, List<ForeignResult> foreign, Map<DocumentKind, List<StoredDocument>> documents)
{
    static final int MAX_INTERVAL_COUNT = 300;
    private static final int MIN_INTERVAL_COUNT = 60;
    private static final int INTERVALS_OF_ALL_RUNS = 4_000;
    private static final int MIN_TIMELINE_COUNT = 2;
    private static final int TIMELINES_OF_ALL_RUNS = 24;
    private static final List<String> FIELDS =
        List.of("/label", "/start", "/verdict/label", "/verdict/reasons", "/verdict/warnings", "/commandLine");

    /** Fields that a document of a kind must have besides those of all. */
    private static final Map<DocumentKind, List<String>> FIELDS_OF_KIND = new EnumMap<>(Map.of(
        DocumentKind.MAX_RATE, List.of(
        "/slo", "/answer/ratePerSecond", "/answer/spread", "/limit/by", "/limit/reason", "/steps", "/durability",
        "/configuration"),
        DocumentKind.SWEEP, List.of("/plan/dimensions", "/cells", "/ratios", "/runs", "/durability", "/configuration"),
        DocumentKind.SUITE, List.of("/groups"),
        DocumentKind.BASELINE, List.of("/lengthBytes", "/udp", "/durability", "/configuration")));

    static ReportContent read(final List<Path> folders)
    {
        final List<Path> runFolders = new ArrayList<>();
        final List<Path> foreignFiles = new ArrayList<>();
        final Map<DocumentKind, List<StoredDocument>> documents = new EnumMap<>(DocumentKind.class);
        for (final Path folder : folders)
        {
            final Optional<DocumentKind> kind = FIELDS_OF_KIND.keySet().stream()
                .filter((one) -> Files.isRegularFile(folder.resolve(one.fileName()))).findFirst();
            if (kind.isPresent())
            {
                documents.computeIfAbsent(kind.get(), (one) -> new ArrayList<>()).add(StoredDocument.read(
                    folder, kind.get(),
                    Stream.of(FIELDS, FIELDS_OF_KIND.get(kind.get())).flatMap(List::stream).toList()));
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
            runFolders.stream().map((folder) -> RunResult.read(folder, maxIntervalCount, maxTimelineCount)).toList(),
            foreign, documents);
    }

    List<StoredDocument> of(final DocumentKind kind)
    {
        return documents.getOrDefault(kind, List.of());
    }

    private static boolean isForeign(final Path path)
    {
        return Files.isDirectory(path) ?
            !Files.exists(path.resolve(DocumentKind.RUN.fileName())) && !ForeignResult.in(path).isEmpty() :
            Files.isRegularFile(path) && ForeignResult.isOne(path);
    }

    String title()
    {
        final List<String> titles = Stream.of(
            runs.stream().map((run) -> run.verdict() + " " + run.manifest().path("label").asText()),
            foreign.stream().map((one) ->
                one.manifest().at("/verdict/label").asText() + " " + one.manifest().path("label").asText()),
            documents.values().stream().flatMap(List::stream).map((one) -> one.verdict() + " " + one.label()))
            .flatMap((stream) -> stream).toList();
        return 1 == titles.size() ? titles.get(0) :
            titles.size() + (runs.size() + foreign.size() == titles.size() ? " runs, " : " results, ") +
            titles.stream().filter((title) -> title.startsWith("GOOD ")).count() + " good";
    }
}
