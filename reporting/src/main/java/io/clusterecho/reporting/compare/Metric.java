package io.clusterecho.reporting.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.settings.Quantity;

/**
 * A compared number of a run, with the same name as in the conditions of {@code --assert}.
 *
 * @param name       such as {@code p99}, {@code service.p99.9}, {@code delay.max}, {@code rate} or {@code cpu}.
 * @param section    of the manifest, as a path.
 * @param percentile of a time, or null for rate and core time.
 */
public record Metric(String name, String section, Percentile percentile)
{
    /** Allowed metrics, for help and errors. */
    public static final String ALLOWED =
        "metrics separated by commas: p50, p90, p99, p99.9, p99.99 or max (response time; prefix service., delay. or " +
        "lateness. for service time, send delay or receive lateness), rate, or cpu (core seconds of client and members per " +
        "million messages)";

    /** Default metrics. The maximum is not among them: it is a single message of a run. */
    public static final String USUAL = "p50,p90,p99,p99.9,p99.99";

    /** Default metrics of a record over time. */
    public static final String USUAL_OVER_TIME = "p50,p99,p99.9,rate,cpu,max-rate,outage";

    private static final String RATE = "rate";
    private static final String CPU = "cpu";
    private static final String MAX_RATE = "max-rate";
    private static final String OUTAGE = "outage";

    /**
     * Parse a list.
     *
     * @param text such as {@code p50,p99,service.p99}.
     * @throws IllegalArgumentException whose message says what is allowed.
     */
    public static List<Metric> parse(final String text)
    {
        return parse(text, Metric::of);
    }

    /**
     * Parse a list for results over time, which may also have {@code max-rate} (of searches) and {@code outage} (median of a
     * failover test); throws as {@link #parse(String)} does.
     */
    public static List<Metric> parseOverTime(final String text)
    {
        return parse(text, Metric::ofTime);
    }

    private static List<Metric> parse(final String text, final Function<String, Metric> parser)
    {
        final List<Metric> metrics = new ArrayList<>();
        for (final String part : text.split(",", -1))
        {
            final Metric metric = parser.apply(part.trim());
            if (metrics.contains(metric))
            {
                throw new IllegalArgumentException("each metric once, but " + metric.name + " is given twice");
            }
            metrics.add(metric);
        }
        return metrics;
    }

    private static Metric ofTime(final String name)
    {
        try
        {
            return MAX_RATE.equals(name) ? new Metric(name, "/answer/ratePerSecond", null) :
                OUTAGE.equals(name) ? new Metric(name, "/outageNs/median", null) : of(name);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new IllegalArgumentException(
                ALLOWED + "; also max-rate (highest rate of a search) and outage (median of a failover test)", ex);
        }
    }

    private static Metric of(final String name)
    {
        if (RATE.equals(name))
        {
            return new Metric(name, "/ratePerSecondAchieved", null);
        }
        if (CPU.equals(name))
        {
            return new Metric(name, "/cpuSecondsPerMillion/all", null);
        }

        final String section = name.startsWith("service.") ? "/serviceTimeNs" :
            name.startsWith("delay.") ? "/sendDelayNs" :
            name.startsWith("lateness.") ? "/receiveLatenessNs" : "/responseTimeNs";
        final String label = name.replaceFirst("^(service|delay|lateness)\\.", "");
        final Percentile percentile = Stream.of(Percentile.values())
            .filter((one) -> one.label().equals(label)).findFirst().orElseThrow(() -> new IllegalArgumentException(ALLOWED));
        return new Metric(name, section, percentile);
    }

    public boolean isHigherBetter()
    {
        return isRate();
    }

    /**
     * Value in a run: ns, messages per second, or seconds. An outage that the test did not notice is as long as what it could
     * not: its resolution.
     */
    public double of(final JsonNode manifest)
    {
        final double value = node(manifest).asDouble();
        return OUTAGE.equals(name) ? Math.max(value, manifest.path("outageResolutionNs").asDouble()) : value;
    }

    /** Whether a run has it: not a percentile with too few messages beyond it. */
    public boolean isIn(final JsonNode manifest)
    {
        return node(manifest).isNumber() && (!OUTAGE.equals(name) || manifest.at("/outageNs/count").asLong() > 0);
    }

    /** 95% bounds of the percentile within a run in ns; null if it has none: an older or foreign result, or too short. */
    public double[] boundsIn(final JsonNode manifest)
    {
        final JsonNode bounds =
            null == percentile ? null : manifest.at(section).path("confidence95").path(percentile.label());
        return null != bounds && bounds.isArray() && 2 == bounds.size() ?
            new double[]{ bounds.get(0).asDouble(), bounds.get(1).asDouble() } : null;
    }

    private JsonNode node(final JsonNode manifest)
    {
        final JsonNode node = manifest.at(section);
        return null == percentile ? node : node.path(percentile.label());
    }

    /** Whether it is not a percentile with too few messages of a run beyond it. */
    boolean isStatedIn(final RunSet set)
    {
        return null == percentile || set.runs().stream().map((run) -> run.manifest().at(section).path("count"))
            .allMatch((count) -> !count.isNumber() || Percentile.isStated(percentile.percent(), count.asLong()));
    }

    public String kind()
    {
        return switch (section)
        {
            case "/answer/ratePerSecond" -> "highest rate";
            case "/outageNs/median" -> "median outage";
            case "/responseTimeNs" -> "response time";
            case "/serviceTimeNs" -> "service time";
            case "/sendDelayNs" -> "send delay";
            case "/receiveLatenessNs" -> "receive lateness";
            case "/ratePerSecondAchieved" -> "messages/s";
            default -> "core s/million";
        };
    }

    /** {@code ns}, {@code perSecond} or {@code s}. */
    public String unit()
    {
        return isRate() ? "perSecond" : CPU.equals(name) ? "s" : "ns";
    }

    public String format(final double value)
    {
        return isRate() ? String.format(Locale.ROOT, "%,.1f/s", value) :
            CPU.equals(name) ? String.format(Locale.ROOT, "%,.2f s", value) : Quantity.formatNs(value);
    }

    private boolean isRate()
    {
        return RATE.equals(name) || MAX_RATE.equals(name);
    }
}
