package io.clusterecho.client.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.clusterecho.settings.InvalidSettingException;

/**
 * Writes one HTML file about one or several runs. It holds its data, its charts' library and all else, and fetches nothing.
 * The same folders give the same bytes.
 */
public final class ReportPage
{
    /**
     * Name of the page in the folder of a run.
     */
    public static final String FILE_NAME = "report.html";

    private static final Pattern PLACEHOLDER = Pattern.compile("@([a-z]+)@");
    private static final String LIBRARY_PROPERTIES = "/META-INF/maven/org.mvnpm/echarts/pom.properties";
    private static final int MAX_INTERVAL_COUNT = 300;
    private static final int MIN_INTERVAL_COUNT = 60;
    private static final int INTERVALS_OF_ALL_RUNS = 4_000;
    private static final int MIN_TIMELINE_COUNT = 2;
    private static final int TIMELINES_OF_ALL_RUNS = 24;
    private static final List<String> SCRIPTS =
        List.of("text.js", "run.js", "chart.js", "along.js", "why.js", "failover.js", "failover-chart.js", "page.js");

    private ReportPage()
    {
    }

    /**
     * Read folders and write a page about them.
     *
     * @param page    to write, and overwrite.
     * @param folders of runs, in the order of the page; at least one.
     * @throws InvalidSettingException when one is no result folder, or cannot be read, or the page cannot be written.
     */
    public static void write(final Path page, final List<Path> folders)
    {
        final int maxIntervalCount =
            Math.max(MIN_INTERVAL_COUNT, Math.min(MAX_INTERVAL_COUNT, INTERVALS_OF_ALL_RUNS / folders.size()));
        final int maxTimelineCount = Math.max(MIN_TIMELINE_COUNT, TIMELINES_OF_ALL_RUNS / folders.size());
        final List<RunResult> results =
            folders.stream().map((folder) -> ResultReader.read(folder, maxIntervalCount, maxTimelineCount)).toList();
        final Path target = page.toAbsolutePath().normalize();
        final Map<String, String> parts = Map.of(
            "title", escaped(title(results)),
            "style", resource("report.css"),
            "library", library(),
            "data", ReportData.json(results, target.getParent()),
            "script", script());
        try
        {
            Files.writeString(target, fill(resource("report.html"), parts), StandardCharsets.UTF_8);
        }
        catch (final IOException ex)
        {
            throw new InvalidSettingException("report file " + page + " cannot be written: " + ex);
        }
    }

    /**
     * One pass over the template: what is filled in is not looked at again.
     */
    private static String fill(final String template, final Map<String, String> parts)
    {
        final StringBuilder filled = new StringBuilder();
        final Matcher matcher = PLACEHOLDER.matcher(template);
        while (matcher.find())
        {
            final String part = parts.get(matcher.group(1));
            if (null == part)
            {
                throw new IllegalStateException("the template names an unknown part: " + matcher.group());
            }
            matcher.appendReplacement(filled, Matcher.quoteReplacement(part));
        }

        return matcher.appendTail(filled).toString();
    }

    private static String title(final List<RunResult> results)
    {
        if (results.size() > 1)
        {
            final long goodCount = results.stream().filter((result) -> "GOOD".equals(result.verdict())).count();
            return results.size() + " runs, " + goodCount + " good";
        }

        return results.get(0).verdict() + " " + results.get(0).manifest().path("label").asText();
    }

    /**
     * The parts of the page's script share one scope, which is closed to all else.
     */
    private static String script()
    {
        return "(function ()\n{\n'use strict';\n" +
            SCRIPTS.stream().map(ReportPage::resource).collect(Collectors.joining("\n")) + "}());\n";
    }

    private static String escaped(final String text)
    {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private static String library()
    {
        final Properties properties = new Properties();
        try (InputStream in = ReportPage.class.getResourceAsStream(LIBRARY_PROPERTIES))
        {
            if (null == in)
            {
                throw new IllegalStateException(LIBRARY_PROPERTIES + " is missing: the chart library is not on the class path");
            }
            properties.load(in);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(LIBRARY_PROPERTIES + " cannot be read", ex);
        }

        return resource(
            "/META-INF/resources/_static/echarts/" + properties.getProperty("version") + "/dist/echarts.min.js");
    }

    private static String resource(final String name)
    {
        try (InputStream in = ReportPage.class.getResourceAsStream(name))
        {
            if (null == in)
            {
                throw new IllegalStateException("resource " + name + " is missing: the build did not pack it");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("resource " + name + " cannot be read", ex);
        }
    }
}
