package io.clusterecho.client.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.client.results.Manifest;
import io.clusterecho.settings.InvalidSettingException;

/**
 * Reads the folder of a run back.
 */
final class ResultReader
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String RAW_FILE_NAMES =
        "(manifest|failover|audit|max-rate|sweep)\\.json|(summary|failover|max-rate|sweep)\\.txt|sweep\\.properties|" +
        "journal\\.bin|.+\\.(csv|hlog|hgrm)";
    private static final List<String> REQUIRED_FIELDS = List.of(
        "/label", "/start", "/verdict/label", "/verdict/reasons", "/verdict/warnings", "/scheduled", "/answered", "/late",
        "/unanswered", "/neverSent", "/ratePerSecondAsked", "/ratePerSecondAchieved", "/responseTimeNs/p50",
        "/serviceTimeNs/p50", "/sendDelayNs/p50", "/stallNs/p50", "/durability", "/commandLine", "/configuration");

    private ResultReader()
    {
    }

    /**
     * Read a folder.
     *
     * @param folder           of a run that has ended.
     * @param maxIntervalCount that charts can show; more rows than that are joined.
     * @param maxTimelineCount of failover cycles that the page can bear.
     * @return what it holds.
     * @throws InvalidSettingException which names the file and what is wrong with it, when this is no result folder, or one
     *                                 of a format version that this program does not know, or damaged.
     */
    static RunResult read(final Path folder, final int maxIntervalCount, final int maxTimelineCount)
    {
        if (!Files.isDirectory(folder))
        {
            throw new InvalidSettingException(folder + " is not a folder; allowed: the folder of a run, with a manifest.json");
        }
        if (!Files.isRegularFile(folder.resolve("manifest.json")))
        {
            throw new InvalidSettingException(
                folder + " is not the folder of a run that has ended: it has no manifest.json");
        }

        final JsonNode manifest = parse(folder, "manifest.json", ResultReader::manifest);
        final List<Interval> intervals = Intervals.join(parse(folder, "intervals.csv", Intervals::parse), maxIntervalCount);
        return new RunResult(
            folder.toAbsolutePath().normalize(),
            manifest,
            rawFileNames(folder),
            parse(folder, "response-time.hgrm", PercentileCurve::parse),
            parse(folder, "service-time.hgrm", PercentileCurve::parse),
            parse(folder, "send-delay.hgrm", PercentileCurve::parse),
            intervals,
            distributions(folder.resolve("response-time.hlog"), intervals),
            distributions(folder.resolve("send-delay.hlog"), intervals),
            distributions(folder.resolve("stall.hlog"), intervals),
            failover(folder, maxTimelineCount));
    }

    /**
     * Read the folder of a result that is made of several runs.
     *
     * @param folder of it.
     * @param name   of the file that tells of all runs.
     * @param format that this program knows.
     * @param fields that it must have, as JSON pointers.
     * @return what it holds.
     * @throws InvalidSettingException which names the file and what is wrong with it.
     */
    static StoredDocument readDocument(
        final Path folder, final String name, final String format, final List<String> fields)
    {
        return new StoredDocument(
            folder.toAbsolutePath().normalize(),
            parse(folder, name, (lines) -> checked(tree(lines), format, fields)),
            rawFileNames(folder));
    }

    private static FailoverRun failover(final Path folder, final int maxTimelineCount)
    {
        if (!Files.isRegularFile(folder.resolve("failover.json")))
        {
            return null;
        }

        final JsonNode result =
            parse(folder, "failover.json", (lines) -> FailoverReader.checked(tree(lines)));
        // Folders of older versions have none.
        final SortedMap<Integer, List<FailoverStretch>> timelines = Files.isRegularFile(folder.resolve("timeline.csv")) ?
            parse(folder, "timeline.csv", FailoverReader::timelines) : new TreeMap<>();
        final int timelineCount = timelines.size();
        timelines.keySet().retainAll(FailoverReader.chosen(result, maxTimelineCount));
        return new FailoverRun(result, timelines, timelineCount);
    }

    private static JsonNode tree(final List<String> lines)
    {
        try
        {
            return MAPPER.readTree(String.join("\n", lines));
        }
        catch (final IOException ex)
        {
            throw new IllegalArgumentException("it is not JSON (" + ex.getMessage().lines().findFirst().orElse("") + ")", ex);
        }
    }

    private static JsonNode manifest(final List<String> lines)
    {
        return checked(tree(lines), Manifest.FORMAT, REQUIRED_FIELDS);
    }

    private static JsonNode checked(final JsonNode document, final String knownFormat, final List<String> fields)
    {
        final String format = document.path("format").asText();
        if (!knownFormat.equals(format))
        {
            throw new IllegalArgumentException("its format is '" + format + "', and this version reads '" + knownFormat + "'");
        }
        for (final String field : fields)
        {
            if (document.at(field).isMissingNode())
            {
                throw new IllegalArgumentException("it has no " + field.substring(1).replace('/', '.'));
            }
        }

        return document;
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
