package io.clusterecho.reporting.confidence;

import org.HdrHistogram.Histogram;

/**
 * Ends a measurement when the bounds of a percentile are narrow enough. Whoever looks again and again, and stops at the first
 * look that pleases, stops too often where the scatter happens to look small, and then the bounds are wrong more often than in
 * one of twenty runs. So there are few looks: at interval {@value #FIRST_LOOK}, and then each time after {@value #GROWTH} times
 * as many intervals. For one thread.
 */
public final class PrecisionRule
{
    /** Intervals before the first look. */
    public static final int FIRST_LOOK = 30;
    /** From one look to the next, as a factor of the intervals. */
    public static final double GROWTH = 1.5;

    private final double percent;
    private final double share;
    final IntervalSeries series = new IntervalSeries();
    private int intervalCount;
    private int nextLook = FIRST_LOOK;
    private int lookCount;

    /**
     * A rule that has seen no interval.
     *
     * @param percent of the percentile, above 0 and below 100.
     * @param share   half of the width of its bounds that is narrow enough, as a share of the percentile.
     */
    public PrecisionRule(final double percent, final double share)
    {
        this.percent = percent;
        this.share = share;
    }

    /**
     * Add the next interval, and look if it is time to.
     *
     * @param interval in ns; empty ones before the first value do not count.
     * @return whether the bounds were narrow enough in a look at the intervals up to this one.
     */
    public boolean isMetWith(final Histogram interval)
    {
        series.add(interval);
        return isMet(0 == interval.getTotalCount());
    }

    boolean isMet(final boolean isEmpty)
    {
        intervalCount += isEmpty && 0 == intervalCount ? 0 : 1;
        if (intervalCount < nextLook)
        {
            return false;
        }
        lookCount++;
        nextLook = (int)Math.ceil(nextLook * GROWTH);
        return halfWidthShare() <= share;
    }

    public PercentileBounds bounds()
    {
        return PercentileBounds.of(series, percent);
    }

    /** Half of the width of the bounds as a share of the percentile; NaN without bounds. */
    public double halfWidthShare()
    {
        final PercentileBounds bounds = bounds();
        final long valueNs = bounds.isKnown() ? series.valueAt(percent) : 0;
        return valueNs > 0 ? (bounds.highNs() - bounds.lowNs()) / 2.0 / valueNs : Double.NaN;
    }

    public int lookCount()
    {
        return lookCount;
    }
}
