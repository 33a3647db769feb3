package io.clusterecho.reporting.foreign;

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
import io.clusterecho.reporting.results.CsvTable;
import io.clusterecho.reporting.results.HistogramLog;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Times;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;
import io.clusterecho.text.Lines;

import org.HdrHistogram.Histogram;

/**
 * A result of {@code aeron-io/benchmarks}: an HdrHistogram interval log in nanoseconds, with one histogram of the whole run, or
 * one for each interval if history was tracked.
 * <p>
 * Its load rig measures from the intended send time, as we do, but its histograms leave out messages without a reply. The file
 * does not contain their number; a run in which not all messages were sent or answered only ends in {@code .FAIL}.
 *
 * @param file      absolute.
 * @param manifest  in the format of our runs, as far as the file allows.
 * @param total     of all intervals, in ns.
 * @param intervals a row for each histogram, with the columns of our own intervals as far as the file allows, timed from the
 *                  first of them.
 */
public record ForeignResult(Path file, JsonNode manifest, Histogram total, CsvTable intervals)
{
    /** Label that every report of such a result shows. */
    public static final String LABEL = "foreign, closed accounts unknown";

    /** Format name of the manifest; it occurs in pages, never in a file. */
    public static final String FORMAT = "cluster-echo-foreign/1";

    private static final String VERDICT = "FOREIGN";
    private static final String HEADER = "begin_s,end_s,phase,leader,sent,answered,in_flight,back_pressured,disconnected," +
        "response_min_us,response_p50_us,response_p99_us";
    private static final double MS_PER_S = 1e3;
    private static final double NS_PER_US = 1e3;
    private static final Pattern FILE_NAME = Pattern.compile("(.+?)(-combined)?\\.hdr(\\.FAIL)?");
    private static final Pattern PARAMETER = Pattern.compile("_(rate|batch|length)=([0-9]{1,12})([KM]?)(?=_|$)");
    /** Times outside of these are not those of a clock: they count from the start of a machine, or were never set. */
    private static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("2100-01-01T00:00:00Z");
    private static final Map<String, Long> FACTORS = Map.of("", 1L, "K", 1_000L, "M", 1_000_000L);

    /** Whether a file has the name of such a result. The file need not exist. */
    public static boolean isOne(final Path file)
    {
        return FILE_NAME.matcher(file.getFileName().toString()).matches();
    }

    /** Whether a file combines several runs, so that it does not show how they scatter. */
    public static boolean isCombined(final Path file)
    {
        final Matcher name = FILE_NAME.matcher(file.getFileName().toString());
        return name.matches() && null != name.group(2);
    }

    /** The files of single runs in a folder without its subfolders, by name, or the combined file if there are none. */
    public static List<Path> in(final Path folder)
    {
        final List<Path> all = Documents.read(folder, Io::list).stream()
            .filter(Files::isRegularFile).filter(ForeignResult::isOne).toList();
        final List<Path> single = all.stream().filter((file) -> !isCombined(file)).toList();
        return single.isEmpty() ? all : single;
    }

    /** Read a result; without values if the file has no rows. An error names the file and the reason. */
    public static ForeignResult read(final Path path)
    {
        final Path file = path.toAbsolutePath().normalize();
        Histogram total = null;
        final List<String> rows = new ArrayList<>(List.of(HEADER));
        try (HistogramLog log = new HistogramLog(file))
        {
            for (Histogram row = log.next(); null != row; row = log.next())
            {
                rows.add(row(row, (null == total ? row : total).getStartTimeStamp()));
                if (null != total)
                {
                    row.setAutoResize(true);
                    row.add(total);
                }
                total = row;
            }
        }
        catch (final IllegalArgumentException ex)
        {
            throw new InvalidSettingException(file + " is not an HdrHistogram interval log: " + ex.getMessage());
        }
        final Histogram all = null == total ? new Histogram(1) : total;
        return new ForeignResult(file, manifest(file.getFileName().toString(), all), all, new CsvTable(rows));
    }

    private static String row(final Histogram row, final long beginMs)
    {
        final long count = row.getTotalCount();
        return Lines.text(
            "%.3f,%.3f,measure,,%d,%d,0,0,0,%.3f,%.3f,%.3f", (row.getStartTimeStamp() - beginMs) / MS_PER_S,
            (row.getEndTimeStamp() - beginMs) / MS_PER_S, count, count, row.getMinValue() / NS_PER_US,
            Percentile.P50.of(row) / NS_PER_US, Percentile.P99.of(row) / NS_PER_US);
    }

    /** Whether no value was measured. */
    public boolean isEmpty()
    {
        return 0 == total.getTotalCount();
    }

    private static JsonNode manifest(final String fileName, final Histogram total)
    {
        final Matcher name = FILE_NAME.matcher(fileName);
        InvalidSettingException.throwIf(
            !name.matches(),
            fileName + " is not a result of aeron-io/benchmarks; allowed: NAME.hdr, NAME.hdr.FAIL");

        final ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("format", FORMAT).put("accounts", LABEL);
        root.put("label", PARAMETER.matcher(name.group(1)).replaceAll(""));
        final Instant start = Instant.ofEpochMilli(total.getStartTimeStamp());
        if (!start.isBefore(EARLIEST) && start.isBefore(LATEST))
        {
            root.put("start", start.toString());
        }
        root.set("verdict", Documents.tree(verdict(name, 0 == total.getTotalCount())));

        final ObjectNode configuration = root.putObject("configuration");
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
        return root;
    }

    private static StoredVerdict verdict(final Matcher name, final boolean isEmpty)
    {
        final List<String> reasons = Stream.of(
            null == name.group(3) ? "" : "the load rig marked it as failed: not every message was sent or answered",
            isEmpty ? name.group() + " has no rows with values" : "").filter((reason) -> !reason.isEmpty()).toList();
        final boolean isGood = reasons.isEmpty();
        return new StoredVerdict(
            isGood, isGood ? VERDICT : "FAILED", false, reasons,
            null == name.group(2) ? List.of() : List.of("it combines several runs"));
    }
}
