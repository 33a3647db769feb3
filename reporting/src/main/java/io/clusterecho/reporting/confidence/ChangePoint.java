package io.clusterecho.reporting.confidence;

/**
 * The place where a series changed its level, if it did. The test is the largest sum of ranks, less their mean, up to any place
 * (CUSUM), divided by its scatter. The scatter is that of a series in which each value depends on the one before, estimated from
 * the differences of neighbours, which a change of level hardly touches. Of ranks, since a single outlier changes no level.
 */
public final class ChangePoint
{
    /** Fewest values that are tested. */
    public static final int MIN_COUNT = 10;

    /** Exceeded by 0.3% of independent series of the same level; by 2% where neighbours have a correlation of 0.3. */
    private static final double LIMIT = 1.8;

    private static final double MAX_CORRELATION = 0.9;

    /**
     * @param values in order of time, without NaN.
     * @return index of the first value after it, or 0 if the series has the same level throughout or is too short.
     */
    public static int of(final double... values)
    {
        final int count = values.length;
        if (count < MIN_COUNT)
        {
            return 0;
        }

        final double[] ranks = Ranks.of(values);
        final double next = halfMeanSquare(ranks, 1);
        final double mean = (count - 1) / 2.0;
        final double correlation = 0 == next ? 0 :
            Math.max(0, Math.min(MAX_CORRELATION, halfMeanSquare(ranks, 2) / next - 1));
        final double scatter = Math.sqrt(count * next * (1 + correlation)) / (1 - correlation);
        double sum = 0;
        double largest = 0;
        int index = 0;
        for (int i = 0; i < count - 1; i++)
        {
            sum += ranks[i] - mean;
            if (Math.abs(sum) > largest)
            {
                largest = Math.abs(sum);
                index = i + 1;
            }
        }
        return largest > LIMIT * scatter ? index : 0;
    }

    private static double halfMeanSquare(final double[] values, final int distance)
    {
        double sum = 0;
        for (int i = distance; i < values.length; i++)
        {
            sum += (values[i] - values[i - distance]) * (values[i] - values[i - distance]);
        }
        return sum / 2 / (values.length - distance);
    }
}
