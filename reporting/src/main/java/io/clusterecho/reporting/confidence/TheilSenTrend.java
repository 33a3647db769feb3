package io.clusterecho.reporting.confidence;

import java.util.Arrays;

import io.clusterecho.statistics.NearestRank;

/**
 * How far a short series rises or falls from its begin to its end.
 *
 * @param share       change along the series by the median of all slopes between two values (Theil and Sen), as a share of the
 *                    median value: below 0 if it falls.
 * @param isDoubtful  whether values in random order would rise or fall so often with a chance above 5% (Mann and Kendall).
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
