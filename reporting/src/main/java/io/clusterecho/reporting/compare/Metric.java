package io.clusterecho.reporting.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.settings.Quantity;

/**
 * A compared number of a result, with the same name as in the conditions of {@code --assert}.
 *
 * @param name       such as {@code p99}, {@code service.p99.9}, {@code delay.max}, {@code rate} or {@code cpu}; documents have
 *                   it in place of the metric.
 * @param percentile of a time; null if the number has none.
 */
public record Metric(String name, Source source, Percentile percentile)
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

    /** Where a result has the number. The name is a prefix to that of a percentile if the number is a time of messages. */
    enum Source
    {
        RESPONSE("", "/responseTimeNs", "response time", "ns"),
        SERVICE("service.", "/serviceTimeNs", "service time", "ns"),
        DELAY("delay.", "/sendDelayNs", "send delay", "ns"),
        LATENESS("lateness.", "/receiveLatenessNs", "receive lateness", "ns"),
        RATE("rate", "/ratePerSecondAchieved", "messages/s", "perSecond"),
        CPU("cpu", "/cpuSecondsPerMillion/all", "core s/million", "s"),
        /** Highest rate of a search. */
        MAX_RATE("max-rate", "/answer/ratePerSecond", "highest rate", "perSecond"),
        /** Of a failover test. */
        OUTAGE("outage", "/outageNs/median", "median outage", "ns");

        private final String name;
        private final String path;
        private final String title;
        private final String unit;

        Source(final String name, final String path, final String title, final String unit)
        {
            this.name = name;
            this.path = path;
            this.title = title;
            this.unit = unit;
        }

        private boolean isTimeOfMessages()
        {
            return name.isEmpty() || name.endsWith(".");
        }
    }

    /**
     * Parse a list.
     *
     * @param text such as {@code p50,p99,service.p99}.
     * @throws IllegalArgumentException whose message says what is allowed.
     */
    public static List<Metric> parse(final String text)
    {
        final List<Metric> metrics = new ArrayList<>();
        for (final String part : text.split(",", -1))
        {
            final Metric metric = of(part.trim());
            if (metrics.contains(metric))
            {
                throw new IllegalArgumentException("each metric once, but " + metric.name + " is given twice");
            }
            metrics.add(metric);
        }
        return metrics;
    }

    private static Metric of(final String name)
    {
        return Stream.of(Source.values())
            .flatMap((source) -> !source.isTimeOfMessages() ? Stream.of(new Metric(source.name, source, null)) :
            Stream.of(Percentile.values()).map((one) -> new Metric(source.name + one.label(), source, one)))
            .filter((metric) -> metric.name.equals(name)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException(ALLOWED));
    }

    @JsonValue
    @Override
    public String name()
    {
        return name;
    }

    boolean isHigherBetter()
    {
        return isRate();
    }

    /**
     * Value in a result: ns, messages per second, or seconds. An outage that the test did not notice is as long as what it could
     * not: its resolution.
     */
    double of(final JsonNode manifest)
    {
        final double value = node(manifest).asDouble();
        return Source.OUTAGE == source ? Math.max(value, manifest.path("outageResolutionNs").asDouble()) : value;
    }

    /** Whether a result has it: not a percentile with too few messages beyond it. */
    boolean isIn(final JsonNode manifest)
    {
        return node(manifest).isNumber() && (Source.OUTAGE != source || manifest.at("/outageNs/count").asLong() > 0);
    }

    /** 95% bounds of the percentile within a run in ns; null if it has none: an older or foreign result, or too short. */
    double[] boundsIn(final JsonNode manifest)
    {
        final JsonNode bounds =
            null == percentile ? null : manifest.at(source.path).path("confidence95").path(percentile.label());
        return null != bounds && bounds.isArray() && 2 == bounds.size() ?
            new double[]{ bounds.get(0).asDouble(), bounds.get(1).asDouble() } : null;
    }

    private JsonNode node(final JsonNode manifest)
    {
        final JsonNode node = manifest.at(source.path);
        return null == percentile ? node : node.path(percentile.label());
    }

    /** Whether it is not a percentile with too few messages of a run beyond it. */
    boolean isStatedIn(final RunSet set)
    {
        return null == percentile || set.runs().stream().map((run) -> run.manifest().at(source.path).path("count"))
            .allMatch((count) -> !count.isNumber() || Percentile.isStated(percentile.percent(), count.asLong()));
    }

    /** What is measured, with the percentile. */
    String title()
    {
        return source.title + (null == percentile ? "" : " " + percentile.label());
    }

    /** {@code ns}, {@code perSecond} or {@code s}. */
    String unit()
    {
        return source.unit;
    }

    String format(final double value)
    {
        return isRate() ? String.format(Locale.ROOT, "%,.1f/s", value) :
            Source.CPU == source ? String.format(Locale.ROOT, "%,.2f s", value) : Quantity.formatNs(value);
    }

    private boolean isRate()
    {
        return "perSecond".equals(source.unit);
    }
}
