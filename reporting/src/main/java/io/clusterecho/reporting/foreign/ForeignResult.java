package io.clusterecho.reporting.foreign;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.document.Times;
import io.clusterecho.settings.InvalidSettingException;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/**
 * A result of {@code aeron-io/benchmarks}: an HdrHistogram interval log in nanoseconds, with one histogram of the whole run, or
 * one for each interval if history was tracked.
 * <p>
 * Its load rig measures from the intended send time, as we do, but its histograms leave out messages without a reply. The file
 * does not contain their number; a run in which not all messages were sent or answered only ends in {@code .FAIL}.
 *
 * @param file      absolute path.
 * @param manifest  in the format of our runs, as far as the file allows.
 * @param total     of all intervals, in ns.
 * @param intervals in order, at least one, in ns; if there is only one, its time stamps are meaningless.
 */
public record ForeignResult(Path file, JsonNode manifest, Histogram total, List<Histogram> intervals)
{
    /**
     * Label that every report of such a result shows.
     */
    public static final String LABEL = "foreign, closed accounts unknown";

    /**
     * Format name of the manifest; it occurs in pages, never in a file.
     */
    public static final String FORMAT = "cluster-echo-foreign/1";

    private static final String VERDICT = "FOREIGN";
    private static final Pattern FILE_NAME = Pattern.compile("(.+?)(-combined)?\\.hdr(\\.FAIL)?");
    private static final Pattern PARAMETER = Pattern.compile("_(rate|batch|length)=([0-9]+)([KM]?)(?=_|$)");
    private static final Map<String, Long> FACTORS = Map.of("", 1L, "K", 1_000L, "M", 1_000_000L);

    /**
     * Whether a file has the name of such a result. The file need not exist.
     */
    public static boolean isOne(final Path file)
    {
        return FILE_NAME.matcher(file.getFileName().toString()).matches();
    }

    /**
     * Whether a file combines several runs, so that it does not show how they scatter.
     */
    public static boolean isCombined(final Path file)
    {
        final Matcher name = FILE_NAME.matcher(file.getFileName().toString());
        return name.matches() && null != name.group(2);
    }

    /**
     * The files of single runs in a folder, or the combined file if there are none.
     *
     * @param folder to search, without subfolders.
     * @return files ordered by name; none if there is no such result.
     */
    public static List<Path> in(final Path folder)
    {
        try (Stream<Path> files = Files.list(folder))
        {
            final List<Path> all = files.filter(Files::isRegularFile).filter(ForeignResult::isOne).sorted().toList();
            final List<Path> single = all.stream().filter((file) -> !isCombined(file)).toList();
            return single.isEmpty() ? all : single;
        }
        catch (final IOException ex)
        {
            throw new InvalidSettingException(folder + " cannot be read: " + ex);
        }
    }

    /**
     * Read a result.
     *
     * @param file of the result.
     * @throws InvalidSettingException if it cannot be read; the message names the file and the reason.
     */
    public static ForeignResult read(final Path file)
    {
        final List<Histogram> intervals = new ArrayList<>();
        try (HistogramLogReader reader = new HistogramLogReader(new File(file.toString())))
        {
            while (reader.hasNext())
            {
                final EncodableHistogram next = reader.nextIntervalHistogram();
                if (null != next)
                {
                    intervals.add((Histogram)next);
                }
            }
        }
        catch (final FileNotFoundException ex)
        {
            throw new InvalidSettingException(file + " cannot be opened");
        }
        catch (final RuntimeException ex)
        {
            // The library does not document what it throws for a damaged line.
            throw new InvalidSettingException(file + " is not an HdrHistogram interval log (" + ex + ")");
        }
        if (intervals.isEmpty())
        {
            throw new InvalidSettingException(file + " contains no histogram");
        }

        final Histogram total = intervals.get(0).copy();
        total.setAutoResize(true);
        intervals.subList(1, intervals.size()).forEach(total::add);
        return new ForeignResult(file.toAbsolutePath().normalize(), manifest(file, intervals, total), total, intervals);
    }

    private static JsonNode manifest(final Path file, final List<Histogram> intervals, final Histogram total)
    {
        final Matcher name = FILE_NAME.matcher(file.getFileName().toString());
        if (!name.matches())
        {
            throw new InvalidSettingException(file + " is not a result of aeron-io/benchmarks; allowed: NAME.hdr, NAME.hdr.FAIL");
        }

        final boolean isFailed = null != name.group(3);
        final ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("format", FORMAT).put("accounts", LABEL);
        root.put("label", PARAMETER.matcher(name.group(1)).replaceAll(""));
        if (intervals.size() > 1)
        {
            root.put("start", Instant.ofEpochMilli(intervals.get(0).getStartTimeStamp()).toString());
        }
        root.set("verdict", Documents.tree(new StoredVerdict(
            !isFailed, isFailed ? "FAILED" : VERDICT, false,
            isFailed ? List.of("the load rig marked it as failed: not every message was sent or answered") : List.of(),
            null == name.group(2) ? List.of() : List.of("it combines several runs"))));

        final ObjectNode configuration = JsonNodeFactory.instance.objectNode();
        final Matcher parameter = PARAMETER.matcher(name.group(1));
        while (parameter.find())
        {
            final String value = String.valueOf(Long.parseLong(parameter.group(2)) * FACTORS.get(parameter.group(3)));
            configuration.put("length".equals(parameter.group(1)) ? "size" : parameter.group(1), value);
        }
        configuration.put("name", root.get("label").asText());
        if (configuration.has("rate"))
        {
            root.put("ratePerSecondAsked", configuration.get("rate").asLong());
        }
        root.set("responseTimeNs", Documents.tree(Times.of(total)));
        root.put("durability", "not known: the file does not say");
        root.put("placement", "not known: the file does not say");
        root.set("configuration", configuration);
        return root;
    }
}
