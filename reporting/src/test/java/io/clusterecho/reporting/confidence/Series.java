package io.clusterecho.reporting.confidence;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;

/** Times of a stationary process whose percentiles are known. */
enum Series
{
    /** Each time on its own. */
    INDEPENDENT
    {
        @Override
        double share(final double value)
        {
            return normal(value);
        }

        @Override
        void fill(final SplittableRandom random, final double[] times, final int lengthOfInterval)
        {
            for (int i = 0; i < times.length; i++)
            {
                times[i] = random.nextGaussian();
            }
        }
    },

    /** Each time depends on the one before; correlation falls to 37% within half of an interval. */
    AUTOREGRESSIVE
    {
        @Override
        double share(final double value)
        {
            return normal(value);
        }

        @Override
        void fill(final SplittableRandom random, final double[] times, final int lengthOfInterval)
        {
            final double kept = Math.exp(-2.0 / lengthOfInterval);
            times[0] = random.nextGaussian();
            for (int i = 1; i < times.length; i++)
            {
                times[i] = kept * times[i - 1] + Math.sqrt(1 - kept * kept) * random.nextGaussian();
            }
        }
    },

    /** A tenth of the time in bursts of slow times that last a fifth of an interval on average. */
    BURSTS
    {
        private static final double BURST_SHARE = 0.1;
        private static final double DISTANCE = 3;

        @Override
        double share(final double value)
        {
            return (1 - BURST_SHARE) * normal(value) + BURST_SHARE * normal(value - DISTANCE);
        }

        @Override
        void fill(final SplittableRandom random, final double[] times, final int lengthOfInterval)
        {
            final double ends = 5.0 / lengthOfInterval;
            final double begins = ends * BURST_SHARE / (1 - BURST_SHARE);
            boolean isBurst = random.nextDouble() < BURST_SHARE;
            for (int i = 0; i < times.length; i++)
            {
                times[i] = random.nextGaussian() + (isBurst ? DISTANCE : 0);
                isBurst = isBurst ? random.nextDouble() >= ends : random.nextDouble() < begins;
            }
        }
    };

    private static final double NS = 1e5;
    private static final double OFFSET = 20;

    /** Share of all times up to a value. */
    abstract double share(double value);

    abstract void fill(SplittableRandom random, double[] times, int lengthOfInterval);

    /** Intervals of equally many times. */
    IntervalSeries draw(final SplittableRandom random, final int intervalCount, final int lengthOfInterval)
    {
        return draw(random, intervalCount, lengthOfInterval, lengthOfInterval);
    }

    /** Intervals of a process whose dependence lasts as long as in intervals of another length. */
    IntervalSeries draw(
        final SplittableRandom random, final int intervalCount, final int lengthOfInterval, final int lengthOfProcess)
    {
        final double[] times = new double[intervalCount * lengthOfInterval];
        fill(random, times, lengthOfProcess);
        final IntervalSeries series = new IntervalSeries();
        final long[] counts = new long[lengthOfInterval];
        Arrays.fill(counts, 1);
        for (int i = 0; i < times.length; i += lengthOfInterval)
        {
            series.add(interval(times, i, lengthOfInterval), counts);
        }
        return series;
    }

    /** The times of one interval in ns, in ascending order. */
    static long[] interval(final double[] times, final int begin, final int length)
    {
        return Arrays.stream(times, begin, begin + length).sorted().mapToLong(Series::toNs).toArray();
    }

    /** The percentile of the process itself. */
    long percentileNs(final double percent)
    {
        return toNs(inverse(this::share, percent / 100));
    }

    private static long toNs(final double value)
    {
        return Math.round((value + OFFSET) * NS);
    }

    private static double inverse(final DoubleUnaryOperator function, final double share)
    {
        double low = -OFFSET;
        double high = OFFSET;
        for (int i = 0; i < 60; i++)
        {
            final double middle = (low + high) / 2;
            if (function.applyAsDouble(middle) < share)
            {
                low = middle;
            }
            else
            {
                high = middle;
            }
        }
        return high;
    }

    /** Normal distribution: Abramowitz and Stegun, 26.2.17, with an error below 1e-7. */
    private static double normal(final double value)
    {
        final double t = 1 / (1 + 0.2316419 * Math.abs(value));
        final double tail = Math.exp(-value * value / 2) / Math.sqrt(2 * Math.PI) * t * (0.319381530 + t * (-0.356563782 +
            t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
        return value > 0 ? 1 - tail : tail;
    }
}
