package io.clusterecho.reporting.confidence;

import java.util.Arrays;
import java.util.List;

import io.clusterecho.reporting.confidence.IntervalSeries.Block;

/**
 * The bounds that contain a percentile with 95% confidence: the percentile of an endless run under the same conditions.
 * <p>
 * The bounds are order statistics; their ranks follow from how much the share of messages up to the percentile scatters. That
 * scatter, with all dependence between messages and between intervals, is the mean square of the first cosine coefficients of
 * the share along the intervals (periods from twice the length of the run downwards). Divided by its root, the error has
 * Student's distribution with as many degrees of freedom. The number of coefficients, {@code 0.41 K^(2/3)} for <i>K</i>
 * intervals, is that of Lazarus, Lewis, Stock and Watson, <i>HAR Inference: Recommendations for Practice</i>, Journal of
 * Business &amp; Economic Statistics, 2018.
 *
 * @param missing why there are no bounds; empty if there are.
 */
public record PercentileBounds(long lowNs, long highNs, String missing)
{
    /** Fewest intervals for any bounds. */
    public static final int MIN_INTERVAL_COUNT = 20;

    /** Fewest messages beyond the percentile, after counting dependent ones as fewer. */
    public static final int MIN_INDEPENDENT_COUNT = 20;

    /**
     * Fewest intervals that have most of the scatter, as the squared sum of squares over the sum of fourth powers; a third of
     * all for normally distributed shares. A run with fewer has seen its bursts too rarely.
     */
    static final int MIN_SCATTERED_COUNT = 6;

    private static final double COEFFICIENTS = 0.41;

    /** Quantiles of 97.5% of Student's distribution for 1, 2, ... degrees of freedom; then an expansion is exact enough. */
    private static final double[] STUDENT =
        { 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120 };
    private static final double NORMAL = 1.959964;

    /** Bounds that are not known, for a reason that ends a sentence. */
    public static PercentileBounds none(final String reason)
    {
        return new PercentileBounds(0, 0, reason);
    }

    public boolean isKnown()
    {
        return missing.isEmpty();
    }

    /** Bounds of a percentile above 0 and below 100. */
    public static PercentileBounds of(final IntervalSeries series, final double percent)
    {
        final List<Block> blocks = series.blocks();
        final int size = blocks.size();
        if (size < MIN_INTERVAL_COUNT)
        {
            return none(
                "the measured window has " + size + " intervals, fewer than " + MIN_INTERVAL_COUNT +
                ": a longer --duration or a shorter --interval");
        }

        final Block whole = series.whole();
        final double share = percent / 100;
        final long valueNs = whole.valueOfRank((long)Math.ceil(share * whole.total()));
        // Times are discrete: of both sides of the value, the one whose share is nearer to the percentile.
        final double above = (double)whole.countUpTo(valueNs) / whole.total();
        final double below = (double)whole.countUpTo(valueNs - 1) / whole.total();
        final boolean isAbove = above < 1 && (above - share <= share - below || 0 == below);
        final double reached = isAbove ? above : below;
        if (0 == reached)
        {
            return new PercentileBounds(valueNs, valueNs, "");
        }

        final double[] errors = new double[size];
        for (int i = 0; i < size; i++)
        {
            errors[i] = blocks.get(i).countUpTo(isAbove ? valueNs : valueNs - 1) - reached * blocks.get(i).total();
        }
        return of(whole, share, errors, share * (1 - share) / (reached * (1 - reached)));
    }

    /**
     * @param errors count of each interval up to the percentile, less its expectation; their sum is 0.
     * @param scale  of variances, from the share that was reached to that of the percentile.
     */
    private static PercentileBounds of(final Block whole, final double share, final double[] errors, final double scale)
    {
        double squares = 0;
        double fourthPowers = 0;
        for (final double error : errors)
        {
            squares += error * error;
            fourthPowers += error * error * error * error;
        }
        if (0 < fourthPowers && squares * squares / fourthPowers < MIN_SCATTERED_COUNT)
        {
            return none(
                "its scatter is that of fewer than " + MIN_SCATTERED_COUNT + " intervals, too few to show how often such come: " +
                "a longer --duration");
        }

        final int degrees = degrees(errors.length);
        final double variance = scale * variance(errors, degrees);
        final double total = whole.total();
        // The squares ignore dependence between intervals, and scatter less: a chance minimum of the variance does not count.
        final double independent = total * Math.min(share, 1 - share) *
            Math.min(1, total * share * (1 - share) / Math.max(Double.MIN_NORMAL, Math.max(variance, scale * squares)));
        if (independent < MIN_INDEPENDENT_COUNT)
        {
            return none(
                "the messages beyond it are worth fewer than " + MIN_INDEPENDENT_COUNT +
                " independent ones: a longer --duration");
        }

        final double half = student(degrees) * Math.sqrt(variance) / total;
        if (share + half >= 1 || share <= half)
        {
            return none("it may be beyond all times of the run: a longer --duration");
        }
        return new PercentileBounds(
            whole.valueOfRank((long)Math.floor((share - half) * total)),
            whole.valueOfRank((long)Math.floor((share + half) * total) + 1), "");
    }

    /** Half of the width of the 95% bounds of a sum, from what each interval adds less its expectation. */
    static double halfWidth(final double[] errors)
    {
        final int degrees = degrees(errors.length);
        final double squares = Arrays.stream(errors).map((error) -> error * error).sum();
        return student(degrees) * Math.sqrt(Math.max(squares, variance(errors, degrees)));
    }

    private static int degrees(final int count)
    {
        return (int)Math.round(COEFFICIENTS * Math.pow(count, 2 / 3.0));
    }

    /** Variance of the sum of errors, with the dependence between them. */
    private static double variance(final double[] errors, final int degrees)
    {
        double sum = 0;
        for (int j = 1; j <= degrees; j++)
        {
            double coefficient = 0;
            for (int i = 0; i < errors.length; i++)
            {
                coefficient += errors[i] * Math.cos(Math.PI * j * (i + 0.5) / errors.length);
            }
            sum += coefficient * coefficient;
        }

        return 2 * sum / degrees;
    }

    private static double student(final int degrees)
    {
        final double cube = Math.pow(NORMAL, 3);
        return degrees <= STUDENT.length ? STUDENT[degrees - 1] : NORMAL + (cube + NORMAL) / (4 * degrees) +
            (5 * Math.pow(NORMAL, 5) + 16 * cube + 3 * NORMAL) / (96.0 * degrees * degrees);
    }
}
