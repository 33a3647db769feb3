package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.settings.IllegalArgument;
import io.clusterecho.settings.Quantity;
import io.clusterecho.statistics.NearestRank;
import io.clusterecho.text.Lines;

import org.HdrHistogram.Histogram;

/**
 * A condition that a result must meet, as in {@code p99<1ms} or {@code lost==0}.
 *
 * @param comparison one of {@code < <= > >= ==}.
 * @param limit      in ns for times, a share of 1 for {@code rate}, else a count.
 */
public record Threshold(String text, String metric, String comparison, double limit)
{
    /** Allowed thresholds, for help and errors. */
    public static final String ALLOWED =
        "conditions separated by commas: METRIC, one of < <= > >= ==, and a limit; METRIC is max, min, mean or a percentile " +
        "such as p50, p95 or p99.9 of the response time (with service., delay., lateness. or stall. before it: of the service " +
        "time, the send delay, the receive lateness, the client's stalls), rate (share achieved, as in rate>=99%), or lost, " +
        "unanswered, neverSent, late, duplicates, outOfOrder, corrupt, backPressured, disconnected, newLeaders, reconnects, " +
        "resent, repeated; of a failover test also outage.median, outage.max, outage.min, outage.mean and percentiles such as " +
        "outage.p90; as in 'p99<1ms,lost==0'";

    private static final Pattern FORM = Pattern.compile("\\s*([a-zA-Z0-9.]+)\\s*(<=|>=|==|<|>)\\s*(\\S+)\\s*");
    private static final String LOST = "lost";
    private static final Map<String, Counter> COUNTS = Stream.of(
        Counter.UNANSWERED, Counter.NEVER_SENT, Counter.LATE, Counter.DUPLICATES, Counter.OUT_OF_ORDER, Counter.CORRUPT,
        Counter.BACK_PRESSURED, Counter.DISCONNECTED, Counter.NEW_LEADERS, Counter.RECONNECTS, Counter.RESENT,
        Counter.REPEATED).collect(Collectors.toMap(Counter::key, Function.identity()));
    private static final List<Time> PREFIXES = List.of(Time.SERVICE, Time.SEND_DELAY, Time.RECEIVE_LATENESS, Time.STALL);
    private static final String OUTAGE = "outage.";
    private static final String PREFIX =
        Stream.concat(Stream.of("outage"), PREFIXES.stream().map(Time::key)).collect(Collectors.joining("|", "^(", ")\\."));
    private static final Pattern PERCENTILE = Pattern.compile("p([0-9]{1,2}(?:\\.[0-9]{1,6})?|100)");

    /** Parse such as {@code p99<1ms,lost==0}; an {@link IllegalArgumentException} says what is allowed. */
    public static List<Threshold> parse(final String text)
    {
        final List<Threshold> thresholds = new ArrayList<>();
        for (final String part : text.split(","))
        {
            final Matcher matcher = FORM.matcher(part);
            IllegalArgument.throwIf(!matcher.matches(), ALLOWED);
            final String metric = matcher.group(1);
            thresholds.add(new Threshold(part.trim(), metric, matcher.group(2), limit(metric, matcher.group(3))));
        }

        return thresholds;
    }

    /** A sentence with the value if the condition is not met, else null. */
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

        if (Time.RECEIVE_LATENESS == time() && evidence.measurement().outcome().of(Counter.SCHEDULED) > 0 &&
            0 == evidence.measurement().times().of(Time.RECEIVE_LATENESS).getTotalCount())
        {
            return text + ", but the arrival of replies is not known";
        }

        final double value = metric.startsWith(OUTAGE) ? outageNs(evidence.failover().outages()) :
            value(evidence.measurement(), evidence.ratePerSecondAsked());
        return holds(value) ? null : text + ", but it is " + format(value);
    }

    private double outageNs(final List<Long> outages)
    {
        final long[] outagesNs = outages.stream().mapToLong(Long::longValue).toArray();
        return statistic(LongStream.of(outagesNs).average().orElseThrow(), (percent) -> NearestRank.of(outagesNs, percent));
    }

    private double statistic(final double mean, final DoubleUnaryOperator atPercent)
    {
        final double percent = percent(metric);
        return Double.isNaN(percent) ? mean : atPercent.applyAsDouble(percent);
    }

    /** Whether a value, in the unit of {@link #limit()}, meets this condition. */
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

    /** The value of several runs that is least favourable to this condition, in the unit of {@link #limit()}. */
    public double worst(final Spread spread)
    {
        return switch (comparison)
        {
            case ">", ">=" -> spread.min();
            case "<", "<=" -> spread.max();
            default -> Math.abs(spread.min() - limit) > Math.abs(spread.max() - limit) ? spread.min() : spread.max();
        };
    }

    /** Value of the metric of a load, in the unit of {@link #limit()}; not for outages. */
    public double value(final LoadMeasurement measurement, final long ratePerSecondAsked)
    {
        final LoadOutcome outcome = measurement.outcome();
        if (isCount(metric))
        {
            return LOST.equals(metric) ? outcome.lost() : outcome.of(COUNTS.get(metric));
        }
        if ("rate".equals(metric))
        {
            return measurement.outcome().ratePerSecondAchieved() / ratePerSecondAsked;
        }

        final Histogram histogram = measurement.times().of(time());
        return 0 == histogram.getTotalCount() ? 0 : statistic(histogram.getMean(), histogram::getValueAtPercentile);
    }

    /** A value of the metric, in the unit of {@link #limit()}, with its unit for a person. */
    public String format(final double value)
    {
        return isCount(metric) ? Lines.text("%.0f", value) :
            "rate".equals(metric) ? Lines.text("%.2f%%", 100 * value) : Quantity.formatNs(value);
    }

    private static double limit(final String metric, final String text)
    {
        if (isCount(metric))
        {
            return nonNegative(text);
        }
        if ("rate".equals(metric))
        {
            return text.endsWith("%") ? nonNegative(text.substring(0, text.length() - 1)) / 100 : nonNegative(text);
        }

        try
        {
            percent(metric);
            return Quantity.parseDurationNs(text);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new IllegalArgumentException(ALLOWED, ex);
        }
    }

    private static double nonNegative(final String text)
    {
        IllegalArgument.throwIf(!text.matches("[0-9]+(\\.[0-9]+)?"), ALLOWED);

        return Double.parseDouble(text);
    }

    private Time time()
    {
        return PREFIXES.stream().filter((time) -> metric.startsWith(time.key() + ".")).findFirst().orElse(Time.RESPONSE);
    }

    private static boolean isCount(final String metric)
    {
        return LOST.equals(metric) || COUNTS.containsKey(metric);
    }

    /** Of the statistic that a metric names after its prefix; NaN for the mean. */
    private static double percent(final String metric)
    {
        final String statistic = metric.replaceFirst(PREFIX, "");
        final Matcher matcher = PERCENTILE.matcher(statistic);
        if (matcher.matches())
        {
            return Double.parseDouble(matcher.group(1));
        }

        IllegalArgument.throwIf("median".equals(statistic) && !metric.startsWith(OUTAGE), ALLOWED);
        return switch (statistic)
        {
            case "mean" -> Double.NaN;
            case "min" -> 0;
            case "max" -> 100;
            case "median" -> NearestRank.MEDIAN;
            default -> throw new IllegalArgumentException(ALLOWED);
        };
    }

    @Override
    public String toString()
    {
        return text;
    }

    public static String join(final List<Threshold> thresholds)
    {
        return thresholds.stream().map(Threshold::text).collect(Collectors.joining(","));
    }
}
