package io.clusterecho.reporting.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.settings.IllegalArgument;
import io.clusterecho.settings.Quantity;
import io.clusterecho.text.Lines;

/**
 * A compared number of a result, with the same name as in the conditions of {@code --assert}.
 *
 * @param name       such as {@code p99}, {@code service.p99.9}, {@code delay.max}, {@code rate} or {@code cpu}; documents have
 *                   it in place of the metric.
 * @param path       of the number in a result, or of its percentiles.
 * @param title      what is measured.
 * @param unit       {@code ns}, {@code perSecond} or {@code s}.
 * @param percentile of a time; null if the number has none.
 */
public record Metric(String name, String path, String title, String unit, Percentile percentile)
{
    /** Allowed metrics, for help and errors. */
    public static final String ALLOWED =
        "metrics separated by commas: p50, p90, p99, p99.9, p99.99 or max (response time; prefix service., delay. or " +
        "lateness. for service time, send delay or receive lateness), rate, cpu (core seconds of client and members per " +
        "million messages), max-rate (highest rate of a search) or outage (median of a failover test), both of trend";

    /** Default metrics. The maximum is not among them: it is a single message of a run. */
    public static final String USUAL = "p50,p90,p99,p99.9,p99.99";

    /** Default metrics of a record over time. */
    public static final String USUAL_OVER_TIME = "p50,p99,p99.9,rate,cpu,max-rate,outage";

    private static final String PER_SECOND = "perSecond";
    private static final Metric CPU = new Metric("cpu", "/cpuSecondsPerMillion/all", "core s/million", "s", null);
    /** Of a failover test. */
    private static final Metric OUTAGE = new Metric("outage", "/outageNs/median", "median outage", "ns", null);
    private static final List<Metric> ALL = Stream.concat(
        Time.OF_MESSAGES.stream().flatMap((time) -> Stream.of(Percentile.values()).map((one) -> new Metric(
            (Time.RESPONSE == time ? "" : time.key() + ".") + one.label(), "/" + time.field(),
            time.label() + " " + one.label(), "ns", one))),
        Stream.of(
        new Metric("rate", "/ratePerSecondAchieved", "messages/s", PER_SECOND, null), CPU,
        // Of a search.
        new Metric("max-rate", "/answer/ratePerSecond", "highest rate", PER_SECOND, null), OUTAGE)).toList();

    /**
     * @param text such as {@code p50,p99,service.p99}.
     * @throws IllegalArgumentException whose message says what is allowed.
     */
    public static List<Metric> parse(final String text)
    {
        final List<Metric> metrics = new ArrayList<>();
        for (final String part : text.split(",", -1))
        {
            final Metric metric = ALL.stream().filter((one) -> one.name.equals(part.trim())).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(ALLOWED));
            IllegalArgument.throwIf(metrics.contains(metric), "each metric once, but " + metric.name + " is given twice");
            metrics.add(metric);
        }
        return metrics;
    }

    @JsonValue
    @Override
    public String name()
    {
        return name;
    }

    boolean isHigherBetter()
    {
        return PER_SECOND.equals(unit);
    }

    /**
     * Value in a result: ns, messages per second, or seconds. An outage that the test did not notice is as long as what it could
     * not: its resolution.
     */
    double of(final ComparedRun result)
    {
        final double value = node(result).asDouble();
        return OUTAGE == this ? Math.max(value, result.manifest().path("outageResolutionNs").asDouble()) : value;
    }

    /** Whether a result has it: not a percentile with too few messages beyond it. */
    boolean isIn(final ComparedRun result)
    {
        return node(result).isNumber() && (OUTAGE != this || result.manifest().at("/outageNs/count").asLong() > 0);
    }

    /** 95% bounds of the percentile within a run in ns; null if it has none: an older or foreign result, or too short. */
    double[] boundsIn(final ComparedRun result)
    {
        final JsonNode bounds =
            null == percentile ? null : result.manifest().at(path).path("confidence95").path(percentile.label());
        return null != bounds && bounds.isArray() && 2 == bounds.size() ?
            new double[]{ bounds.get(0).asDouble(), bounds.get(1).asDouble() } : null;
    }

    private JsonNode node(final ComparedRun result)
    {
        final JsonNode node = result.manifest().at(path);
        return null == percentile ? node : node.path(percentile.label());
    }

    /** Whether it is not a percentile with too few messages of a run beyond it. */
    boolean isStatedIn(final RunSet set)
    {
        return null == percentile || set.runs().stream().map((run) -> run.manifest().at(path).path("count"))
            .allMatch((count) -> !count.isNumber() || Percentile.isStated(percentile.percent(), count.asLong()));
    }

    String format(final double value)
    {
        return isHigherBetter() ? Lines.text("%,.1f/s", value) :
            CPU == this ? Lines.text("%,.2f s", value) : Quantity.formatNs(value);
    }
}
