package io.clusterecho.reporting.confidence;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.statistics.NearestRank;
import io.clusterecho.text.Lines;

/**
 * Decides when a warm-up has reached a steady state. The newer half of the intervals so far, at least {@value #MIN_COUNT}, must
 * show all of this:
 * <ul>
 * <li>p50 changes by less than a tenth along them, by the median of its slopes, which one or two outliers do not move;</li>
 * <li>so does p99, or its rises and falls are as in a random order: a p99 of a second scatters by more than that;</li>
 * <li>no process compiles for more than a tenth of a core, in the mean of the newest {@value #COMPILED_COUNT}.</li>
 * </ul>
 * The test for a change of level ({@link ChangePoint}) would be no use here: in few intervals it finds hardly any trend, and
 * what is not found is not steady. For one thread.
 */
public final class SteadyRule
{
    /** Fewest intervals with replies. */
    public static final int MIN_COUNT = 10;
    /** Shortest warm-up that shows a steady state, in ns. */
    public static final long MIN_LENGTH_NS = 10_000_000_000L;

    private static final double MAX_CHANGE = 0.1;
    private static final int COMPILED_COUNT = 5;
    private static final double MAX_COMPILATION = 0.1;

    private final List<Interval> intervals = new ArrayList<>();
    private final long shortestNs;

    /**
     * How far a short series rises or falls from its begin to its end.
     *
     * @param share      change along the series by the median of all slopes between two values (Theil and Sen), as a share of
     *                   the median value: below 0 if it falls.
     * @param isDoubtful whether values in random order would rise or fall so often with a chance above 5% (Mann and Kendall).
     */
    record TheilSenTrend(double share, boolean isDoubtful)
    {
        private static final double NORMAL = 1.959964;

        /** Trend of at least two values above 0, in order of time. */
        static TheilSenTrend of(final double... values)
        {
            final int count = values.length;
            final double[] slopes = new double[count * (count - 1) / 2];
            int length = 0;
            int rises = 0;
            for (int i = 0; i < count; i++)
            {
                for (int j = i + 1; j < count; j++)
                {
                    slopes[length++] = (values[j] - values[i]) / (j - i);
                    rises += (int)Math.signum(values[j] - values[i]);
                }
            }
            final double median = NearestRank.of(values.clone(), NearestRank.MEDIAN);
            Arrays.sort(slopes);
            final double slope = (slopes[(length - 1) / 2] + slopes[length / 2]) / 2;
            final double deviation = Math.sqrt(count * (count - 1.0) * (2.0 * count + 5) / 18);
            return new TheilSenTrend(slope * (count - 1) / median, Math.max(0, Math.abs(rises) - 1) <= NORMAL * deviation);
        }
    }

    /**
     * What the rule knows of an interval.
     *
     * @param compilation largest share of a core that a process used for compiling; 0 if that is not known.
     */
    public record Interval(double p50Ns, double p99Ns, double compilation)
    {
    }

    /** @param shortestNs shortest warm-up, in ns; at least {@link #MIN_LENGTH_NS} is needed. */
    public SteadyRule(final long shortestNs)
    {
        this.shortestNs = Math.max(MIN_LENGTH_NS, shortestNs);
    }

    /**
     * What is not steady with the next interval.
     *
     * @param interval with replies, or null for one without any, which counts only for the length.
     * @param lengthNs of the warm-up up to its end.
     * @return a phrase with numbers; empty if the state is steady.
     */
    public String unsteadyWith(final Interval interval, final long lengthNs)
    {
        if (null != interval)
        {
            intervals.add(interval);
        }
        if (intervals.size() < MIN_COUNT || lengthNs < MIN_LENGTH_NS)
        {
            return Lines.text("%d intervals with replies in %.0f s are too few", intervals.size(), lengthNs / 1e9);
        }
        if (lengthNs < shortestNs)
        {
            return Lines.text("%.0f s of at least %.0f s", lengthNs / 1e9, shortestNs / 1e9);
        }

        final List<Interval> newer =
            intervals.subList(intervals.size() - Math.max(MIN_COUNT, intervals.size() / 2), intervals.size());
        final TheilSenTrend p50 = TheilSenTrend.of(newer.stream().mapToDouble(Interval::p50Ns).toArray());
        final TheilSenTrend p99 = TheilSenTrend.of(newer.stream().mapToDouble(Interval::p99Ns).toArray());
        final double compilation = newer.subList(newer.size() - COMPILED_COUNT, newer.size()).stream()
            .mapToDouble(Interval::compilation).average().orElseThrow();
        return Stream.of(
            Math.abs(p50.share()) < MAX_CHANGE ? "" : changed("p50", p50, newer.size()),
            Math.abs(p99.share()) < MAX_CHANGE || p99.isDoubtful() ? "" : changed("p99", p99, newer.size()),
            compilation <= MAX_COMPILATION ? "" : Lines.text(
            "a process compiled for %.0f ms/s in its last %d intervals", 1e3 * compilation, COMPILED_COUNT))
            .filter((reason) -> !reason.isEmpty()).collect(Collectors.joining(", "));
    }

    private static String changed(final String name, final TheilSenTrend trend, final int count)
    {
        return Lines.text(
            "%s %s by %.0f%% in its last %d intervals", name, trend.share() < 0 ? "fell" : "rose",
            100 * Math.abs(trend.share()), count);
    }
}
