package io.clusterecho.reporting.compare;

import java.util.Locale;

/**
 * What became of one metric.
 *
 * @param metric         compared.
 * @param a              median of the first set.
 * @param b              median of the second set.
 * @param share          median of B divided by that of A, less 1; infinite where that of A alone is 0.
 * @param pValue         of this metric alone.
 * @param adjustedPValue with regard to how many metrics were looked at.
 * @param outcome        of the comparison.
 */
record Change(
    Metric metric,
    MedianInterval a,
    MedianInterval b,
    double share,
    double pValue,
    double adjustedPValue,
    Outcome outcome)
{
    /** What can be said of the difference. */
    enum Outcome
    {
        /** Proven, large enough to matter, and for the better. */
        BETTER("better"),
        /** Proven, large enough to matter, and for the worse. */
        WORSE("worse"),
        /** Proven, but smaller than what matters. */
        SMALL("~"),
        /** Not proven. */
        UNPROVEN("~");

        private final String sign;

        Outcome(final String sign)
        {
            this.sign = sign;
        }

        /**
         * In a table: {@code ~} unless something is proven that matters.
         */
        String sign()
        {
            return sign;
        }
    }

    /**
     * The change as a person reads it.
     */
    String shareText()
    {
        return Double.isInfinite(share) ? "from 0" : String.format(Locale.ROOT, "%+.1f%%", 100 * share);
    }
}
