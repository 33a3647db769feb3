package io.clusterecho.reporting.report;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.foreign.ForeignResult;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.DocumentKind;

/** The numbers of a page as JSON. */
final class ReportData
{
    private ReportData()
    {
    }

    /**
     * One line of JSON that is safe inside a script element: it has no {@code <}, whatever a label contains.
     *
     * @param pageFolder of the page, absolute; links are relative to it.
     */
    static String json(final ReportContent content, final Path pageFolder)
    {
        return json(tree(content, pageFolder));
    }

    static String json(final ObjectNode root)
    {
        return root.toString().replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029");
    }

    static ObjectNode tree(final ReportContent content, final Path pageFolder)
    {
        final ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("cellsPerDecade", Distribution.CELLS_PER_DECADE);
        final ArrayNode runs = root.putArray("runs");
        content.runs().forEach((result) -> putRun(runs.addObject(), result, pageFolder));
        content.foreign().forEach((result) -> putForeign(runs.addObject(), result, pageFolder));
        putDocuments(root.putArray("searches"), content.of(DocumentKind.MAX_RATE), pageFolder);
        putDocuments(root.putArray("sweeps"), content.of(DocumentKind.SWEEP), pageFolder);
        putDocuments(root.putArray("baselines"), content.of(DocumentKind.BASELINE), pageFolder);
        putDocuments(root.putArray("suites"), content.of(DocumentKind.SUITE), pageFolder);
        return root;
    }

    private static void putDocuments(final ArrayNode nodes, final List<StoredDocument> documents, final Path pageFolder)
    {
        for (final StoredDocument document : documents)
        {
            final ObjectNode node = nodes.addObject();
            node.set("manifest", document.document());
            putFiles(node, document.folder(), document.rawFileNames(), pageFolder);
            node.put("folderLink", link(pageFolder, document.folder()));
        }
    }

    private static void putFiles(
        final ObjectNode node, final Path folder, final List<String> names, final Path pageFolder)
    {
        final ArrayNode files = node.putArray("files");
        for (final String name : names)
        {
            files.addObject().put("name", name).put("link", link(pageFolder, folder.resolve(name)));
        }
    }

    /**
     * After the runs and in their shape, as far as the file has the data. Intervals are timed from the first of them; a single
     * one is not drawn over time.
     */
    private static void putForeign(final ObjectNode run, final ForeignResult result, final Path pageFolder)
    {
        run.set("manifest", result.manifest());
        run.put("foreign", true);
        result.files().forEach((file) ->
            run.withArray("/files").addObject().put("name", file.getFileName().toString()).put("link", link(pageFolder, file)));
        putCurve(run.putObject("curves").putArray("response"), PercentileCurve.of(result.total()));
        if (result.rowCount() > 1 && 1 == result.files().size())
        {
            final long beginMs = result.total().getStartTimeStamp();
            final List<Interval> intervals = new ArrayList<>();
            final List<Distribution> times = new ArrayList<>();
            result.forEachInterval(ReportContent.MAX_INTERVAL_COUNT, (interval) ->
            {
                intervals.add(new Interval(
                    (interval.getStartTimeStamp() - beginMs) / 1e3, (interval.getEndTimeStamp() - beginMs) / 1e3, 1,
                    "measure", "", interval.getTotalCount(), interval.getTotalCount(), 0, 0, 0, Double.NaN));
                times.add(Distribution.of(interval));
            });
            putAlong(run.putObject("intervals"), intervals);
            run.withObject("/intervals").put("rowCount", result.rowCount());
            putTimes(run.withObject("/intervals").putObject("responseNs"), times);
            putCells(run.putArray("cells"), times);
        }
    }

    private static void putRun(final ObjectNode run, final RunResult result, final Path pageFolder)
    {
        run.set("manifest", result.manifest());
        putFiles(run, result.folder(), result.rawFileNames(), pageFolder);

        final ObjectNode curves = run.putObject("curves");
        Time.OF_MESSAGES.forEach((time) -> putCurve(curves.putArray(time.key()), result.curve(time)));

        final List<Interval> intervals = result.intervals();
        final ObjectNode series = run.putObject("intervals");
        putAlong(series, intervals);
        for (final Time time : RunResult.CHARTED)
        {
            if (Time.RECEIVE_LATENESS != time || !result.distributions(time).isEmpty())
            {
                putTimes(series.putObject(time.key() + "Ns"), result.distributions(time));
            }
        }
        putCells(run.putArray("cells"), result.distributions(Time.RESPONSE));

        final ObjectNode counters = run.putObject("counters");
        final ObjectNode processes = counters.putObject("processes");
        result.counters().processes().forEach((name, ofProcess) -> putSeries(processes.putObject(name), ofProcess));
        putSeries(counters.putObject("machine"), result.counters().machine());

        if (null != result.failover())
        {
            result.failover().put(run.putObject("failover"));
        }
    }

    private static void putAlong(final ObjectNode series, final List<Interval> intervals)
    {
        series.put("rowCount", intervals.stream().mapToInt(Interval::rowCount).sum());
        put(series.putArray("beginS"), intervals, Interval::beginS, 1e3);
        put(series.putArray("endS"), intervals, Interval::endS, 1e3);
        series.set("phase", Documents.tree(intervals.stream().map(Interval::phase).toList()));
        series.set("leader", Documents.tree(intervals.stream().map(Interval::leader).toList()));
        putRates(series.putArray("sentPerS"), intervals, Interval::sent);
        putRates(series.putArray("answeredPerS"), intervals, Interval::answered);
        put(series.putArray("inFlight"), intervals, Interval::inFlight, 1);
        putRates(series.putArray("backPressuredPerS"), intervals, Interval::backPressured);
        putRates(series.putArray("disconnectedPerS"), intervals, Interval::disconnected);
        // Results of earlier builds have no target rates.
        if (intervals.stream().noneMatch((interval) -> Double.isNaN(interval.targetPerS())))
        {
            put(series.putArray("targetPerS"), intervals, Interval::targetPerS, 1e3);
        }
    }

    /** Flat: index of the interval, cell, count, and again. */
    private static void putCells(final ArrayNode cells, final List<Distribution> times)
    {
        for (int i = 0; i < times.size(); i++)
        {
            final int index = i;
            times.get(i).cells().forEach((cell, count) -> cells.add(index).add((int)cell).add((long)count));
        }
    }

    private static void putSeries(final ObjectNode node, final Map<String, double[]> series)
    {
        series.forEach((column, values) ->
            put(node.putArray(column), Arrays.stream(values).boxed().toList(), Double::doubleValue, 10));
    }

    private static void putCurve(final ArrayNode points, final PercentileCurve curve)
    {
        for (int i = 0; i < curve.places().length; i++)
        {
            points.addArray().add(Math.round(curve.places()[i] * 1e4) / 1e4).add(curve.timesNs()[i]);
        }
    }

    private static void putTimes(final ObjectNode times, final List<Distribution> distributions)
    {
        putTimes(times.putArray("p50"), distributions, Distribution::p50Ns);
        putTimes(times.putArray("p99"), distributions, Distribution::p99Ns);
        putTimes(times.putArray("p99.9"), distributions, Distribution::p99_9Ns);
        putTimes(times.putArray("max"), distributions, Distribution::maxNs);
    }

    private static void putTimes(
        final ArrayNode values, final List<Distribution> distributions, final ToLongFunction<Distribution> time)
    {
        put(values, distributions, (one) -> 0 == one.count() ? Double.NaN : time.applyAsLong(one), 1);
    }

    /**
     * Counts per second; null for an interval less than half as long as the first one, as the last one of a run often is: a
     * rate over a few milliseconds is noise.
     */
    private static void putRates(
        final ArrayNode values, final List<Interval> intervals, final ToLongFunction<Interval> count)
    {
        put(values, intervals, (interval) -> interval.lengthS() < intervals.get(0).lengthS() / 2 ? Double.NaN :
            count.applyAsLong(interval) / interval.lengthS(), 10);
    }

    /**
     * Numbers, null for NaN.
     *
     * @param perUnit steps of a number in 1, to which it is rounded; a chart shows no more, and the page stays small.
     */
    static <T> void put(
        final ArrayNode values, final List<T> all, final ToDoubleFunction<T> number, final double perUnit)
    {
        for (final T one : all)
        {
            final double exact = number.applyAsDouble(one);
            final double value = Math.round(exact * perUnit) / perUnit;
            if (Double.isNaN(exact))
            {
                values.addNull();
            }
            else if (value == Math.rint(value))
            {
                values.add((long)value);
            }
            else
            {
                values.add(value);
            }
        }
    }

    private static String link(final Path pageFolder, final Path file)
    {
        try
        {
            // Without the dot, a colon in the first name would end a scheme.
            return new URI(null, null, "./" + pageFolder.relativize(file), null).toASCIIString();
        }
        catch (final URISyntaxException ex)
        {
            throw new IllegalStateException("a path must be writable as a link: " + file, ex);
        }
    }
}
