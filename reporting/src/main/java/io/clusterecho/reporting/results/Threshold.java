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
 * @param text       as the user wrote it.
 * @param metric     measured.
 * @param comparison one of {@code < <= > >= ==}.
 * @param limit      in ns for times, a share of 1 for {@code rate}, else a count.
 */
public record Threshold(String text, String metric, String comparison, double limit)
{
    /**
     * What a threshold may say, for help and errors.
     */
    public static final String ALLOWED =
        "conditions separated by commas: METRIC, one of < <= > >= ==, and a limit; METRIC is p50, p90, p99, p99.9, p99.99 or " +
        "max (response time; with service. or delay. before it the other times), rate (share achieved, as in rate>=99%), or " +
        "one of lost, unanswered, neverSent, late, duplicates, outOfOrder, corrupt; of a failover test also outage.min, " +
        "outage.median, outage.p90 and outage.max; as in 'p99<1ms,lost==0'";

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
     * Read conditions.
     *
     * @param text such as {@code p99<1ms,lost==0}.
     * @return one threshold each.
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
     * Compare a result with this condition.
     *
     * @param evidence of the run.
     * @return null if the condition holds, else what was found.
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
     * Whether the condition concerns the outages of a failover test, which a run without faults has none of.
     *
     * @return true if so.
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
     * Whether a value of the metric meets this condition.
     *
     * @param value in the unit of {@link #limit()}.
     * @return true if so.
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
     * The value farthest from what this condition asks for.
     *
     * @param spread of the metric over several runs, in the unit of {@link #limit()}.
     * @return its smallest or its largest value.
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
     * What a condition on a load, and not on outages, looks at.
     *
     * @param measurement        to look at.
     * @param ratePerSecondAsked of its schedule.
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
     * A value of the metric as a person reads it.
     *
     * @param value in the unit of {@link #limit()}.
     * @return with its unit.
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
     * Conditions as one text.
     *
     * @param thresholds to join.
     * @return separated by commas.
     */
    public static String join(final List<Threshold> thresholds)
    {
        return thresholds.stream().map(Threshold::text).collect(Collectors.joining(","));
    }
}
