package io.clusterecho.reporting.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.StoredManifest;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.CsvTable;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.settings.InvalidSettingException;

/** Reads the folder of a result. */
final class ResultReader
{
    private static final String RAW_FILE_NAMES =
        "(manifest|failover|audit|max-rate|sweep|suite|baseline)\\.json|(summary|failover|max-rate|sweep|baseline)\\.txt|" +
        "sweep\\.properties|report\\.md|journal\\.bin|.+\\.(csv|hlog|hgrm)";

    private ResultReader()
    {
    }

    /**
     * Read a folder.
     *
     * @param maxIntervalCount that charts can show; more rows are merged.
     * @param maxTimelineCount of failover cycles that the page can show.
     * @throws InvalidSettingException which names the file, if this is not a result folder, or it has an unknown format
     *                                 version, or is damaged.
     */
    static RunResult read(final Path folder, final int maxIntervalCount, final int maxTimelineCount)
    {
        final JsonNode manifest = StoredManifest.read(folder);
        final boolean isFailover = Files.isRegularFile(folder.resolve(DocumentKind.FAILOVER.fileName()));
        final FailoverRun failover = isFailover ? failover(folder, maxTimelineCount) : null;
        // The interval logs are most of a folder, and its result does not depend on them: a folder from which they, the table of
        // intervals and the counters were removed to save space is still valid. Its page has no charts over time.
        final boolean isWhole = Files.exists(folder.resolve(FileNames.INTERVALS));
        final List<Interval> intervals = !isWhole ? List.of() : Interval.join(
            parse(folder, FileNames.INTERVALS, (lines) -> Interval.of(new CsvTable(lines))), maxIntervalCount);
        return new RunResult(
            folder.toAbsolutePath().normalize(),
            manifest,
            rawFileNames(folder),
            curves(folder, isWhole ? EnumSet.of(Time.RESPONSE, Time.SERVICE, Time.SEND_DELAY) : EnumSet.of(Time.RESPONSE)),
            intervals,
            isWhole ? allDistributions(folder, intervals) : Map.of(),
            isWhole ? counters(folder, intervals) : new CounterSeries(Map.of(), Map.of()),
            failover);
    }

    private static Map<Time, PercentileCurve> curves(final Path folder, final Set<Time> required)
    {
        final Map<Time, PercentileCurve> curves = new EnumMap<>(Time.class);
        for (final Time time : Time.OF_MESSAGES)
        {
            if (required.contains(time) || Files.exists(folder.resolve(time.percentiles())))
            {
                curves.put(time, parse(folder, time.percentiles(), PercentileCurve::parse));
            }
        }
        return curves;
    }

    private static Map<Time, List<Distribution>> allDistributions(final Path folder, final List<Interval> intervals)
    {
        final Map<Time, List<Distribution>> all = new EnumMap<>(Time.class);
        for (final Time time : List.of(Time.RESPONSE, Time.SEND_DELAY, Time.RECEIVE_LATENESS, Time.STALL))
        {
            if (Time.RECEIVE_LATENESS != time || Files.exists(folder.resolve(time.percentiles())))
            {
                all.put(time, distributions(folder.resolve(time.log()), intervals));
            }
        }
        return all;
    }

    /**
     * Read the folder of a result of several runs.
     *
     * @throws InvalidSettingException which names the file, if it has an unknown format version or is damaged.
     */
    static StoredDocument readDocument(final Path folder, final DocumentKind kind, final List<String> fields)
    {
        return new StoredDocument(
            folder.toAbsolutePath().normalize(), kind, Documents.read(folder, kind, fields), rawFileNames(folder));
    }

    private static FailoverRun failover(final Path folder, final int maxTimelineCount)
    {
        final FailoverRun run = FailoverRun.read(folder);
        // Folders of older versions have no timelines.
        return !Files.isRegularFile(folder.resolve(FileNames.TIMELINE)) ? run :
            parse(folder, FileNames.TIMELINE, (lines) -> run.with(new CsvTable(lines), maxTimelineCount));
    }

    private static <T> T parse(final Path folder, final String name, final Function<List<String>, T> parser)
    {
        final Path file = folder.resolve(name);
        try
        {
            return parser.apply(Files.readAllLines(file, StandardCharsets.UTF_8));
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            throw unreadable(file, ex instanceof IOException ? ex.toString() : ex.getMessage());
        }
    }

    private static CounterSeries counters(final Path folder, final List<Interval> intervals)
    {
        try
        {
            return CounterSeries.of(
                intervals, table(folder, FileNames.COUNTERS), table(folder, FileNames.MACHINE));
        }
        catch (final IllegalArgumentException ex)
        {
            throw unreadable(folder.resolve(FileNames.COUNTERS), ex.getMessage());
        }
    }

    /** A table of a file that folders of earlier versions lack; empty then. */
    private static CsvTable table(final Path folder, final String name)
    {
        return Files.exists(folder.resolve(name)) ? parse(folder, name, CsvTable::new) : new CsvTable(List.of());
    }

    private static List<Distribution> distributions(final Path file, final List<Interval> intervals)
    {
        try
        {
            return Distribution.read(file, intervals);
        }
        catch (final IllegalArgumentException ex)
        {
            throw unreadable(file, ex.getMessage());
        }
    }

    private static List<String> rawFileNames(final Path folder)
    {
        try (Stream<Path> files = Files.list(folder))
        {
            return files.filter(Files::isRegularFile).map((file) -> file.getFileName().toString())
                .filter((name) -> name.matches(RAW_FILE_NAMES)).sorted().toList();
        }
        catch (final IOException ex)
        {
            throw unreadable(folder, ex.toString());
        }
    }

    private static InvalidSettingException unreadable(final Path file, final String reason)
    {
        return new InvalidSettingException(file + " cannot be read: " + reason);
    }
}
