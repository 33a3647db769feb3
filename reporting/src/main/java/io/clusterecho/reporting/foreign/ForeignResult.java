package io.clusterecho.reporting.foreign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.results.HistogramLog;
import io.clusterecho.reporting.results.Times;
import io.clusterecho.settings.InvalidSettingException;

import org.HdrHistogram.Histogram;

/**
 * A result of {@code aeron-io/benchmarks}: an HdrHistogram interval log in nanoseconds, with one histogram of the whole run, or
 * one for each interval if history was tracked.
 * <p>
 * Its load rig measures from the intended send time, as we do, but its histograms leave out messages without a reply. The file
 * does not contain their number; a run in which not all messages were sent or answered only ends in {@code .FAIL}.
 *
 * @param files    absolute paths, at least one; several if a run wrote one for each of its receivers.
 * @param tag      of the rows that belong to it; empty for those without.
 * @param manifest in the format of our runs, as far as the files allow.
 * @param total    of all intervals, in ns.
 */
public record ForeignResult(List<Path> files, String tag, JsonNode manifest, Histogram total, int rowCount)
{
    /** Label that every report of such a result shows. */
    public static final String LABEL = "foreign, closed accounts unknown";

    /** Format name of the manifest; it occurs in pages, never in a file. */
    public static final String FORMAT = "cluster-echo-foreign/1";

    private static final String VERDICT = "FOREIGN";
    private static final Pattern FILE_NAME = Pattern.compile("(.+?)(-combined)?\\.hdr(\\.FAIL)?");
    private static final Pattern PARAMETER = Pattern.compile("_(rate|batch|length)=([0-9]{1,12})([KM]?)(?=_|$)");
    private static final Pattern RECEIVER = Pattern.compile("(^|[-_.])r[0-9]+(?=\\.hdr)");
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
     * Read results, each tag of a log as a run of its own. Files of one folder whose names differ only in a last {@code r0},
     * {@code r1} and so on are those of the receivers of one run.
     *
     * @return one for each run and tag, in the order of the files; without values if a file has no rows.
     * @throws InvalidSettingException if one cannot be read; the message names the file and the reason.
     */
    public static List<ForeignResult> read(final Collection<Path> files)
    {
        return files.stream().map((file) -> file.toAbsolutePath().normalize()).distinct()
            .collect(Collectors.groupingBy(
            (file) -> file.resolveSibling(RECEIVER.matcher(file.getFileName().toString()).replaceFirst("$1r")),
            LinkedHashMap::new, Collectors.toList()))
            .entrySet().stream().flatMap((run) -> read(run.getKey(), run.getValue())).toList();
    }

    private static Stream<ForeignResult> read(final Path run, final List<Path> files)
    {
        final Map<String, Histogram> totals = new LinkedHashMap<>();
        final Map<String, Integer> rowCounts = new HashMap<>();
        final List<String> cutFiles = new ArrayList<>();
        for (final Path file : files)
        {
            final boolean isCut = rows(file, (row) ->
            {
                rowCounts.merge(tag(row), 1, Integer::sum);
                totals.merge(tag(row), row, ForeignResult::sum);
            });
            if (isCut)
            {
                cutFiles.add(file.getFileName().toString());
            }
        }
        if (totals.isEmpty())
        {
            totals.put("", new Histogram(1));
        }

        final String name = (1 == files.size() ? files.get(0) : run).getFileName().toString();
        return totals.entrySet().stream().map((entry) -> new ForeignResult(
            files, entry.getKey(), manifest(files, name, entry.getKey(), entry.getValue(), cutFiles), entry.getValue(),
            rowCounts.getOrDefault(entry.getKey(), 0)));
    }

    /** @return whether the file ended within a row. */
    private static boolean rows(final Path file, final Consumer<Histogram> rows)
    {
        try (HistogramLog log = new HistogramLog(file, true))
        {
            for (Histogram row = log.next(); null != row; row = log.next())
            {
                rows.accept(row);
            }
            return log.isCut();
        }
        catch (final IllegalArgumentException ex)
        {
            throw new InvalidSettingException(file + " is not an HdrHistogram interval log: " + ex.getMessage());
        }
    }

    private static String tag(final Histogram row)
    {
        return null == row.getTag() ? "" : row.getTag();
    }

    private static Histogram sum(final Histogram joined, final Histogram next)
    {
        joined.setAutoResize(true);
        joined.add(next);
        return joined;
    }

    /** Whether no value was measured. */
    public boolean isEmpty()
    {
        return 0 == total.getTotalCount();
    }

    /**
     * The intervals of a run of one file, read again: one histogram is in memory at a time.
     *
     * @param maxCount  of intervals; neighbours are joined until there are no more.
     * @param intervals in order.
     */
    public void forEachInterval(final int maxCount, final Consumer<Histogram> intervals)
    {
        final int joinedRows = (rowCount - 1) / maxCount + 1;
        final AtomicReference<Histogram> joined = new AtomicReference<>();
        final AtomicInteger count = new AtomicInteger();
        rows(files.get(0), (row) ->
        {
            if (tag.equals(tag(row)))
            {
                final Histogram sum = null == joined.get() ? row : sum(joined.get(), row);
                final boolean isWhole = 0 == count.incrementAndGet() % joinedRows || count.get() == rowCount;
                joined.set(isWhole ? null : sum);
                if (isWhole)
                {
                    intervals.accept(sum);
                }
            }
        });
    }

    private static JsonNode manifest(
        final List<Path> files, final String fileName, final String tag, final Histogram total, final List<String> cutFiles)
    {
        final Matcher name = FILE_NAME.matcher(fileName);
        if (!name.matches())
        {
            throw new InvalidSettingException(
                fileName + " is not a result of aeron-io/benchmarks; allowed: NAME.hdr, NAME.hdr.FAIL");
        }

        final ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("format", FORMAT).put("accounts", LABEL);
        root.put("label", (PARAMETER.matcher(name.group(1)).replaceAll("") + " " + tag).strip());
        final Instant start = Instant.ofEpochMilli(total.getStartTimeStamp());
        if (!start.isBefore(EARLIEST) && start.isBefore(LATEST))
        {
            root.put("start", start.toString());
        }
        root.set("verdict", Documents.tree(verdict(files, name, 0 == total.getTotalCount(), cutFiles)));

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

    private static StoredVerdict verdict(
        final List<Path> files, final Matcher name, final boolean isEmpty, final List<String> cutFiles)
    {
        final List<String> reasons = new ArrayList<>();
        final List<String> warnings = new ArrayList<>();
        if (null != name.group(3))
        {
            reasons.add("the load rig marked it as failed: not every message was sent or answered");
        }
        if (isEmpty)
        {
            reasons.add(fileNames(files) + " has no rows with values");
        }
        final String label = !reasons.isEmpty() ? "FAILED" : cutFiles.isEmpty() ? VERDICT : "PARTIAL";
        cutFiles.forEach((file) -> reasons.add("partial: " + file + " ends within a row, which is left out"));
        if (null != name.group(2))
        {
            warnings.add("it combines several runs");
        }
        if (files.size() > 1)
        {
            warnings.add("it joins files of one run, by their names: " + fileNames(files));
        }
        return new StoredVerdict(reasons.isEmpty(), label, !cutFiles.isEmpty(), reasons, warnings);
    }

    private static String fileNames(final List<Path> files)
    {
        return files.stream().map((file) -> file.getFileName().toString()).collect(Collectors.joining(", "));
    }
}
