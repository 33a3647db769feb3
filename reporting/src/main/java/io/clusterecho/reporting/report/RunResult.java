package io.clusterecho.reporting.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.document.StoredManifest;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.CsvTable;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.settings.InvalidSettingException;

/**
 * The contents of a run's folder.
 *
 * @param manifest      as written, of a format version that this program knows.
 * @param rawFileNames  of the files that hold the measured data, in order of name.
 * @param curves        of the whole run; of response times with the age at the end for messages without a reply.
 * @param intervals     from the start of the schedule to the end, without gaps, merged.
 * @param distributions of each interval; of response times without messages that had no reply.
 * @param failover      of which this was the load, or null.
 */
record RunResult(
    Path folder, JsonNode manifest, List<String> rawFileNames, Map<Time, PercentileCurve> curves, List<Interval> intervals,
    Map<Time, List<Distribution>> distributions, CounterSeries counters, FailoverRun failover)
{
    /** Times of which a page has charts over time. */
    static final List<Time> CHARTED = List.of(Time.RESPONSE, Time.SEND_DELAY, Time.RECEIVE_LATENESS, Time.STALL);

    private static final String RAW_FILE_NAMES =
        "(manifest|failover|audit|max-rate|sweep|suite|baseline)\\.json|(summary|failover|max-rate|sweep|baseline)\\.txt|" +
        "sweep\\.properties|report\\.md|journal\\.bin|.+\\.(csv|hlog|hgrm)";

    /** Reads a file; throws {@link IllegalArgumentException} if it is damaged. */
    private interface Parser<T>
    {
        T parse(Path file) throws IOException;
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
        final FailoverRun failover =
            Files.isRegularFile(folder.resolve(DocumentKind.FAILOVER.fileName())) ? failover(folder, maxTimelineCount) : null;
        // The interval logs are most of a folder, and its result does not depend on them: a folder from which they, the table of
        // intervals and the counters were removed to save space is still valid. Its page has no charts over time.
        final boolean isWhole = Files.exists(folder.resolve(FileNames.INTERVALS));
        final List<Interval> intervals = !isWhole ? List.of() : Interval.join(
            parse(folder.resolve(FileNames.INTERVALS), (file) -> Interval.of(CsvTable.read(file))), maxIntervalCount);
        final Map<Time, PercentileCurve> curves = new EnumMap<>(Time.class);
        final Map<Time, List<Distribution>> distributions = new EnumMap<>(Time.class);
        for (final Time time : Time.OF_MESSAGES)
        {
            final Path file = folder.resolve(time.percentiles());
            if (Time.RESPONSE == time || isWhole && Time.RECEIVE_LATENESS != time || Files.exists(file))
            {
                curves.put(time, parse(
                    file, (one) -> PercentileCurve.parse(Files.readAllLines(one, StandardCharsets.UTF_8))));
            }
        }
        for (final Time time : isWhole ? CHARTED : List.<Time>of())
        {
            if (Time.RECEIVE_LATENESS != time || Files.exists(folder.resolve(time.percentiles())))
            {
                distributions.put(time, parse(folder.resolve(time.log()), (file) -> Distribution.read(file, intervals)));
            }
        }
        return new RunResult(
            folder.toAbsolutePath().normalize(), manifest, rawFileNames(folder), curves, intervals, distributions,
            isWhole ? counters(folder, intervals) : CounterSeries.NONE, failover);
    }

    private static FailoverRun failover(final Path folder, final int maxTimelineCount)
    {
        final FailoverRun run = FailoverRun.read(folder);
        // Folders of older versions have no timelines.
        return !Files.isRegularFile(folder.resolve(FileNames.TIMELINE)) ? run :
            parse(folder.resolve(FileNames.TIMELINE), (file) -> run.with(CsvTable.read(file), maxTimelineCount));
    }

    private static CounterSeries counters(final Path folder, final List<Interval> intervals)
    {
        final CsvTable machine = parse(folder.resolve(FileNames.MACHINE), CsvTable::read);
        return parse(
            folder.resolve(FileNames.COUNTERS), (file) -> CounterSeries.of(intervals, CsvTable.read(file), machine));
    }

    private static <T> T parse(final Path file, final Parser<T> parser)
    {
        try
        {
            return parser.parse(file);
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            throw new InvalidSettingException(
                file + " cannot be read: " + (ex instanceof IOException ? ex.toString() : ex.getMessage()));
        }
    }

    /** The files of measured data in a folder, in order of name. */
    static List<String> rawFileNames(final Path folder)
    {
        return parse(folder, (parent) ->
        {
            try (Stream<Path> files = Files.list(parent))
            {
                return files.filter(Files::isRegularFile).map((file) -> file.getFileName().toString())
                    .filter((name) -> name.matches(RAW_FILE_NAMES)).sorted().toList();
            }
        });
    }

    /** Without points where the time is not known. */
    PercentileCurve curve(final Time time)
    {
        return curves.getOrDefault(time, PercentileCurve.NONE);
    }

    /** None where the time is not known. */
    List<Distribution> distributions(final Time time)
    {
        return distributions.getOrDefault(time, List.of());
    }

    /** The verdict in one word: that of the failover test if there is one. Manifests of newer results have the same. */
    String verdict()
    {
        return null != failover ? failover.verdict() : manifest.at("/verdict/label").asText();
    }
}
