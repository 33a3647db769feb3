package io.clusterecho.reporting.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.results.HistogramLog;
import io.clusterecho.reporting.results.Percentile;

import org.HdrHistogram.Histogram;

/** Whether the files of stored results agree with each other, and state what another reader needs. */
final class StoredEvidence
{
    /** Three significant digits, and the three decimals of the table. */
    private static final double TOLERANCE = 1.0011;
    private static final double NS_PER_US = 1e3;
    private static final double ROUNDING_US = 0.002;
    private static final Pattern ROW = Pattern.compile("\\s*([0-9.]+)\\s+([0-9.]+)\\s+([0-9]+)(\\s.*)?");
    private static final Pattern TOTAL = Pattern.compile("#\\[Max\\s*=.*Total count\\s*=\\s*([0-9]+)]");
    private static final List<String> STATED = List.of(
        "/versions/commit", "/versions/aeron", "/versions/java", "/machine/cpuModel", "/machine/cpuCount", "/machine/memoryTotal",
        "/machine/os", "/durability", "/commandLine", "/configuration", "/start");

    private StoredEvidence()
    {
    }

    /**
     * What is wrong with a run, or the load of a failover test, in a folder.
     *
     * @param isWhole whether it has the histograms of its intervals.
     * @return a sentence each.
     */
    static List<String> problems(final Path folder, final boolean isWhole) throws IOException
    {
        final JsonNode run = RunDocument.read(folder);
        final List<String> problems = new ArrayList<>();
        STATED.stream().filter((path) -> run.at(path).isMissingNode()).forEach((path) -> problems.add("not stated: " + path));
        final long scheduled = run.path("scheduled").asLong();
        final long outcomes = Stream.of("answered", "late", "unanswered", "neverSent")
            .mapToLong((name) -> run.path(name).asLong()).sum();
        add(problems, scheduled == outcomes, scheduled + " messages were scheduled, and " + outcomes + " have an outcome");
        final boolean isGood = run.at("/verdict/good").asBoolean();
        add(
            problems, isGood == run.at("/verdict/reasons").isEmpty() &&
            isGood == List.of("GOOD", "CLIENT-LIMITED").contains(run.at("/verdict/label").asText()),
            "the verdict " + run.at("/verdict/label").asText() + " contradicts its reasons");

        final JsonNode times = run.path("responseTimeNs");
        final long count = times.path("count").asLong();
        add(problems, scheduled == count, count + " response times of " + scheduled + " messages");
        final TreeMap<Double, Double> us = new TreeMap<>();
        long total = -1;
        for (final String line : Files.readAllLines(folder.resolve("response-time.hgrm")))
        {
            final Matcher row = ROW.matcher(line);
            if (row.matches())
            {
                us.putIfAbsent(100 * Double.parseDouble(row.group(2)), Double.parseDouble(row.group(1)));
            }
            final Matcher end = TOTAL.matcher(line);
            total = end.matches() ? Long.parseLong(end.group(1)) : total;
        }
        add(problems, total == count, "response-time.hgrm has " + total + " values, the manifest " + count);
        for (final Percentile percentile : Percentile.values())
        {
            final double valueUs = times.path(percentile.label()).asDouble() / NS_PER_US;
            final Map.Entry<Double, Double> low = us.lowerEntry(percentile.percent());
            final Map.Entry<Double, Double> high = us.ceilingEntry(percentile.percent());
            add(
                problems, !times.has(percentile.label()) || null != high &&
                valueUs <= high.getValue() * TOLERANCE + ROUNDING_US &&
                valueUs * TOLERANCE + ROUNDING_US >= (null == low ? 0 : low.getValue()),
                percentile.label() + " is " + valueUs + " us, which response-time.hgrm does not have");
        }
        if (isWhole)
        {
            addIntervals(problems, folder, times);
        }
        return problems;
    }

    /** Those without a reply are in no interval. */
    private static void addIntervals(final List<String> problems, final Path folder, final JsonNode times) throws IOException
    {
        final Path file = folder.resolve("response-time.hlog");
        if (!Files.exists(file))
        {
            problems.add("response-time.hlog is missing");
            return;
        }
        final JsonNode run = RunDocument.read(folder);
        Histogram sum = null;
        try (HistogramLog log = new HistogramLog(file))
        {
            for (Histogram next = log.next(); null != next; next = log.next())
            {
                if (null != sum)
                {
                    next.add(sum);
                }
                sum = next;
            }
        }
        final long replied = run.path("answered").asLong() + run.path("late").asLong();
        final long found = null == sum ? 0 : sum.getTotalCount();
        add(problems, found == replied, "response-time.hlog has " + found + " values of " + replied + " replies");
        if (found == times.path("count").asLong() && found > 0)
        {
            final long maxNs = Percentile.MAX.of(sum);
            add(problems, maxNs == times.path("max").asLong(), "the largest value of response-time.hlog is " + maxNs + " ns");
        }
    }

    /** What is wrong with a folder of results: its page and each run. */
    static List<String> problemsOfFolder(final Path folder, final boolean isWhole) throws IOException
    {
        final List<String> problems = new ArrayList<>();
        final Path page = folder.resolve("README.md");
        final String text = Files.exists(page) ? Files.readString(page) : "";
        add(problems, text.matches("(?s).*\n    \\S.*"), "README.md has no command, indented by four blanks");
        add(problems, !isWhole || text.contains("Machine:"), "README.md has no paragraph that begins with Machine:");
        final List<Path> runs = files(folder, (file) -> file.endsWith("manifest.json"));
        add(problems, !isWhole || !runs.isEmpty(), "no manifest.json");
        for (final Path run : runs)
        {
            problems(run.getParent(), isWhole).forEach((one) -> problems.add(folder.relativize(run.getParent()) + ": " + one));
            final String commit = RunDocument.read(run.getParent()).at("/versions/commit").asText();
            add(
                problems, !isWhole || commit.matches("[0-9a-f]{7,40}"),
                folder.relativize(run.getParent()) + ": made with changed sources, or without its commit: " + commit);
        }
        return problems;
    }

    private static List<Path> files(final Path folder, final Predicate<Path> predicate) throws IOException
    {
        try (Stream<Path> files = Files.walk(folder))
        {
            return files.filter(Files::isRegularFile).filter(predicate).sorted().toList();
        }
    }

    private static void add(final List<String> problems, final boolean isGood, final String otherwise)
    {
        if (!isGood)
        {
            problems.add(otherwise);
        }
    }
}
