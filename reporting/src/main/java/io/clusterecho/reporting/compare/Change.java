package io.clusterecho.reporting.compare;

import java.util.Locale;

/**
 * The comparison of one metric.
 *
 * @param a              median of the first set.
 * @param b              median of the second set.
 * @param share          median of B divided by that of A, less 1; infinite where that of A alone is 0.
 * @param pValue         of this metric alone, without correction.
 * @param adjustedPValue corrected for the number of metrics.
 */
public record Change(
    Metric metric,
    MedianInterval a,
    MedianInterval b,
    double share,
    double pValue,
    double adjustedPValue,
    Outcome outcome)
{
    /** What is proven about the difference. */
    public enum Outcome
    {
        /** Proven, large enough to matter, and better. */
        BETTER("better"),
        /** Proven, large enough to matter, and worse. */
        WORSE("worse"),
        /** Proven, but too small to matter. */
        SMALL("~"),
        /** The difference is not significant. */
        UNPROVEN("~");

        private final String sign;

        Outcome(final String sign)
        {
            this.sign = sign;
        }
    }

    /** {@code better}, {@code worse}, or {@code ~} unless a difference that matters is proven. */
    public String sign()
    {
        return outcome.sign;
    }

    public String shareText()
    {
        return Double.isInfinite(share) ? "from 0" : String.format(Locale.ROOT, "%+.1f%%", 100 * share);
    }
}
