package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.settings.Quantity;
import io.clusterecho.statistics.NearestRank;

import org.HdrHistogram.Histogram;

/**
 * A condition that a result must meet, as in {@code p99<1ms} or {@code lost==0}.
 *
 * @param text       as written by the user.
 * @param metric     name of the metric.
 * @param comparison one of {@code < <= > >= ==}.
 * @param limit      in ns for times, a share of 1 for {@code rate}, else a count.
 */
public record Threshold(String text, String metric, String comparison, double limit)
{
    /**
     * Allowed thresholds, for help and errors.
     */
    public static final String ALLOWED =
        "conditions separated by commas: METRIC, one of < <= > >= ==, and a limit; METRIC is p50, p90, p99, p99.9, p99.99 or " +
        "max (response time; prefix service. or delay. for service time or send delay), rate (achieved / target, as in " +
        "rate>=99%), or one of lost, unanswered, neverSent, late, duplicates, outOfOrder, corrupt; in a failover test also " +
        "outage.min, outage.median, outage.p90 and outage.max; as in 'p99<1ms,lost==0'";

    private static final Pattern FORM = Pattern.compile("\\s*([a-zA-Z0-9.]+)\\s*(<=|>=|==|<|>)\\s*(\\S+)\\s*");
    private static final Map<String, ToDoubleFunction<LoadOutcome>> COUNTS = Map.of(
        "lost", LoadOutcome::lost,
        "unanswered", LoadOutcome::unanswered,
        "neverSent", LoadOutcome::neverSent,
        "late", LoadOutcome::late,
        "duplicates", LoadOutcome::duplicates,
        "outOfOrder", LoadOutcome::outOfOrder,
        "corrupt", LoadOutcome::corrupt);
    private static final String OUTAGE = "outage.";
    private static final Map<String, Double> OUTAGE_PERCENTILES =
        Map.of("min", 0.0, "median", NearestRank.MEDIAN, "p90", 90.0, "max", 100.0);

    /**
     * Parse conditions.
     *
     * @param text such as {@code p99<1ms,lost==0}.
     * @return a threshold for each.
     * @throws IllegalArgumentException whose message says what is allowed.
     */
    public static List<Threshold> parse(final String text)
    {
        final List<Threshold> thresholds = new ArrayList<>();
        for (final String part : text.split(","))
        {
            final Matcher matcher = FORM.matcher(part);
            if (!matcher.matches())
            {
                throw new IllegalArgumentException(ALLOWED);
            }
            final String metric = matcher.group(1);
            thresholds.add(new Threshold(part.trim(), metric, matcher.group(2), limit(metric, matcher.group(3))));
        }

        return thresholds;
    }

    /**
     * Check a result.
     *
     * @param evidence of the run.
     * @return null if the condition is met, else a sentence with the value.
     */
    String violation(final RunEvidence evidence)
    {
        if (metric.startsWith(OUTAGE) && (null == evidence.failover() || evidence.failover().outages().isEmpty()))
        {
            return text + ", but no outage was measured";
        }
        if (null == evidence.measurement() && !metric.startsWith(OUTAGE))
        {
            return text + ", but no load was measured";
        }

        final double value = metric.startsWith(OUTAGE) ? outageNs(evidence.failover()) :
            value(evidence.measurement(), evidence.ratePerSecondAsked());
        return holds(value) ? null : text + ", but it is " + format(value);
    }

    /**
     * Whether the condition is about the outages of a failover test.
     */
    public boolean isOfOutages()
    {
        return metric.startsWith(OUTAGE);
    }

    private double outageNs(final FailoverAccount failover)
    {
        return NearestRank.of(
            failover.outages().stream().mapToLong(Long::longValue).toArray(),
            OUTAGE_PERCENTILES.get(metric.substring(OUTAGE.length())));
    }

    /**
     * Whether a value meets this condition.
     *
     * @param value in the unit of {@link #limit()}.
     */
    public boolean holds(final double value)
    {
        return switch (comparison)
        {
            case "<" -> value < limit;
            case "<=" -> value <= limit;
            case ">" -> value > limit;
            case ">=" -> value >= limit;
            default -> value == limit;
        };
    }

    /**
     * The value that is least favourable to this condition.
     *
     * @param spread over several runs, in the unit of {@link #limit()}.
     * @return the smallest or the largest value.
     */
    public double worst(final Spread spread)
    {
        return switch (comparison)
        {
            case ">", ">=" -> spread.min();
            case "<", "<=" -> spread.max();
            default -> Math.abs(spread.min() - limit) > Math.abs(spread.max() - limit) ? spread.min() : spread.max();
        };
    }

    /**
     * Value of the metric of a load; not for outages.
     *
     * @param measurement        of the load.
     * @param ratePerSecondAsked target rate.
     * @return in the unit of {@link #limit()}.
     */
    public double value(final LoadMeasurement measurement, final long ratePerSecondAsked)
    {
        if (COUNTS.containsKey(metric))
        {
            return COUNTS.get(metric).applyAsDouble(measurement.outcome());
        }
        if ("rate".equals(metric))
        {
            return measurement.outcome().ratePerSecondAchieved() / ratePerSecondAsked;
        }

        final Histogram histogram = metric.startsWith("service.") ? measurement.serviceTimes() :
            metric.startsWith("delay.") ? measurement.sendDelays() : measurement.responseTimes();
        return percentile(metric).of(histogram);
    }

    /**
     * A value of the metric with its unit, for a person.
     *
     * @param value in the unit of {@link #limit()}.
     */
    public String format(final double value)
    {
        if (COUNTS.containsKey(metric))
        {
            return String.format(Locale.ROOT, "%.0f", value);
        }

        return "rate".equals(metric) ? String.format(Locale.ROOT, "%.2f%%", 100 * value) : Quantity.formatNs(value);
    }

    private static double limit(final String metric, final String text)
    {
        if (COUNTS.containsKey(metric))
        {
            return nonNegative(text);
        }
        if ("rate".equals(metric))
        {
            return text.endsWith("%") ? nonNegative(text.substring(0, text.length() - 1)) / 100 : nonNegative(text);
        }

        if (metric.startsWith(OUTAGE))
        {
            if (!OUTAGE_PERCENTILES.containsKey(metric.substring(OUTAGE.length())))
            {
                throw new IllegalArgumentException(ALLOWED);
            }
        }
        else
        {
            percentile(metric);
        }
        try
        {
            return Quantity.parseDurationNs(text);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new IllegalArgumentException(ALLOWED, ex);
        }
    }

    private static double nonNegative(final String text)
    {
        if (!text.matches("[0-9]+(\\.[0-9]+)?"))
        {
            throw new IllegalArgumentException(ALLOWED);
        }

        return Double.parseDouble(text);
    }

    private static Percentile percentile(final String metric)
    {
        final String label = metric.replaceFirst("^(service|delay)\\.", "");
        return Stream.of(Percentile.values()).filter((percentile) -> percentile.label().equals(label)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException(ALLOWED));
    }

    @Override
    public String toString()
    {
        return text;
    }

    /**
     * Conditions joined by commas.
     */
    public static String join(final List<Threshold> thresholds)
    {
        return thresholds.stream().map(Threshold::text).collect(Collectors.joining(","));
    }
}
