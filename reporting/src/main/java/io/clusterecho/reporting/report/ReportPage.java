package io.clusterecho.reporting.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.clusterecho.platform.BuildFacts;
import io.clusterecho.reporting.compare.Trend;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.ResultDocuments;
import io.clusterecho.settings.Cause;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;

/**
 * Writes one HTML file about one or several results. It contains its data and its chart library, and fetches nothing.
 * The same folders give the same bytes.
 */
public final class ReportPage
{
    private static final String FOLDER = "/io/clusterecho/reporting/report/";
    private static final Pattern PLACEHOLDER = Pattern.compile("@([a-z]+)@");
    private static final String LIBRARY_PROPERTIES = "/META-INF/maven/org.mvnpm/echarts/pom.properties";
    private static final List<String> SCRIPTS =
        List.of(
            "text.js", "facts.js", "head.js", "run.js", "chart.js", "along.js", "foreign.js", "why.js", "stages.js",
            "slowest.js", "kinds.js", "receivers.js", "failover.js", "failover-chart.js", "search.js", "sweep.js",
            "published.js", "suite.js", "baseline.js", "trend.js", "index.js", "page.js");

    /** Add the page about a result to its documents. */
    public static void addTo(final ResultDocuments documents)
    {
        final Path folder = documents.folder().path();
        documents.addPage(FileNames.PAGE, () -> write(folder.resolve(FileNames.PAGE), List.of(folder)));
    }

    /**
     * Read folders and write a page about them.
     *
     * @param folders of runs, searches and sweeps, in the order of the page, or of folders of such for an index; at least one.
     * @throws InvalidSettingException if a folder has no result, or cannot be read, or the page cannot be written.
     */
    public static void write(final Path page, final List<Path> folders)
    {
        final Path pageFolder = page.toAbsolutePath().normalize().getParent();
        final ReportData data = folders.stream().allMatch(ReportData::isOfResults) ?
            ReportData.index(folders, pageFolder) : ReportData.read(folders, pageFolder);
        write(page, html(data));
    }

    /**
     * Write a page about results over time.
     *
     * @throws InvalidSettingException if the page cannot be written.
     */
    public static void writeTrend(final Path page, final Trend trend)
    {
        write(page, html(new ReportData(page, "trend", Documents.tree(trend))));
    }

    /** Write a text to a file; throws as {@link #writeTrend} does. */
    public static void write(final Path page, final String html)
    {
        Io.run(
            (ex) -> new InvalidSettingException("report file " + page + " cannot be written: " + Cause.of(ex)),
            () -> Files.writeString(page.toAbsolutePath().normalize(), html));
    }

    private static String html(final ReportData data)
    {
        return fill(BuildFacts.text(FOLDER + "report.html"), Map.of(
            "title", data.title().replace("&", "&amp;").replace("<", "&lt;"),
            "style", BuildFacts.text(FOLDER + "report.css"),
            "library", library(),
            "data", data.json(),
            "script", script()));
    }

    /** One pass over the template: what is filled in is not searched for placeholders. */
    private static String fill(final String template, final Map<String, String> parts)
    {
        return PLACEHOLDER.matcher(template).replaceAll((part) -> Matcher.quoteReplacement(
            Objects.requireNonNull(parts.get(part.group(1)), () -> "the template names an unknown part: " + part.group())));
    }

    /** The parts of the page's script share one scope of their own. */
    private static String script()
    {
        return "(function ()\n{\n'use strict';\n" +
            SCRIPTS.stream().map((name) -> BuildFacts.text(FOLDER + name)).collect(Collectors.joining("\n")) + "}());\n";
    }

    private static String library()
    {
        final String version = BuildFacts.text(LIBRARY_PROPERTIES).replaceFirst("(?s).*\\bversion=(\\S+).*", "$1");
        return BuildFacts.text("/META-INF/resources/_static/echarts/" + version + "/dist/echarts.min.js");
    }
}
