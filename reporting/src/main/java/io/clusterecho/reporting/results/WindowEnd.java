package io.clusterecho.reporting.results;

import io.clusterecho.settings.Quantity;

/**
 * Why a measured window ended when it did, where the run decided that itself.
 *
 * @param goal           until which to measure, such as {@code p99+-5%}.
 * @param boundNs        its longest length.
 * @param halfWidthShare half of the width of the bounds at its last interval, as a share of the percentile; null without.
 * @param missing        why there are no bounds; null if there are.
 */
public record WindowEnd(
    String goal, long lengthNs, long boundNs, Cause endedBy, Double halfWidthShare, String missing, int lookCount)
{
    /** What ended it. */
    public enum Cause
    {
        /** The percentile was known as precisely as required. */
        precise,
        /** The longest time allowed. */
        bound,
        /** A request of the user, or whatever else ended the run early. */
        request
    }

    public String text()
    {
        return "measured for " + Quantity.formatNs(lengthNs) + switch (endedBy)
        {
            case precise -> ", until ";
            case bound -> ", to the bound, for ";
            case request -> ", ended early, for ";
        } + goal + ": " + (null == halfWidthShare ? "no bounds" : width()) + " (at most " + Quantity.formatNs(boundNs) +
            "; looked " + lookCount + " times)";
    }

    /** A sentence if it ended before the percentile was known; else null. */
    public String warning()
    {
        return Cause.bound != endedBy ? null : "the run met its bound of " + Quantity.formatNs(boundNs) + " before " + goal +
            " was reached: " + (null == halfWidthShare ? missing : width());
    }

    private String width()
    {
        return "+-" + PrecisionGoal.percent(halfWidthShare);
    }
}
