package io.clusterecho.reporting.confidence;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The places where a short series of independent values changed its level. The statistic is the largest difference between the
 * mean rank of any stretch of neighbours and that of all other values, in units of its scatter (circular binary segmentation, A.
 * Olshen and others, Biostatistics 5, 2004): a stretch up to either end is a change, one in the middle a level that came and
 * went. Of ranks, since a single outlier changes no level. Its distribution is that over random orders of the same values, so
 * the share of false alarms is exact for any distribution and for as few values as can prove a change at all. A series with a
 * change is divided there and each part is tested again, so a series without any change has at most the stated share of alarms
 * in all. Neighbours that depend on each other raise it.
 */
public final class LevelChanges
{
    /** Fewest values of a level: an outlier and its neighbour are none. */
    public static final int MIN_LEVEL_COUNT = 3;

    private static final int ORDER_COUNT = 1_999;

    /** Two neighbouring levels that chance explains with more than this are one. */
    private static final double MAX_P_OF_NEIGHBOURS = 0.05;
    private static final double EQUAL = 1e-9;

    /**
     * @param values in order of time, without NaN.
     * @param alpha  accepted probability that a series of the same level throughout has any change, above 0, at most 0.1.
     * @return index of the first value of each further level, ascending; the same for the same values.
     */
    public static List<Integer> of(final double[] values, final double alpha)
    {
        final List<Integer> changes = new ArrayList<>();
        split(values, 0, values.length, alpha, changes);
        Collections.sort(changes);
        prune(values, changes);
        return changes;
    }

    /** Fewest values that can prove a change: of this many, one half above the other has a probability of at most alpha. */
    public static int minCount(final double alpha)
    {
        return IntStream.iterate(2 * MIN_LEVEL_COUNT, (count) -> count + 1)
            .filter((count) -> 2 / Ranks.ways(count, count / 2) <= alpha).findFirst().orElseThrow();
    }

    private static void split(
        final double[] values, final int from, final int to, final double alpha, final List<Integer> changes)
    {
        if (to - from < minCount(alpha))
        {
            return;
        }
        final double[] ranks = Ranks.of(Arrays.copyOfRange(values, from, to));
        final Stretch stretch = Stretch.largest(ranks);
        if (share(ranks, stretch.size, (order) -> Stretch.largest(order).size) > alpha)
        {
            return;
        }
        int begin = from;
        for (final int end : new int[]{ from + stretch.from, from + stretch.to, to })
        {
            if (end > begin)
            {
                split(values, begin, end, alpha, changes);
            }
            if (end > from && end < to)
            {
                changes.add(end);
            }
            begin = end;
        }
    }

    /** Remove the change that chance explains best, until there is none. */
    private static void prune(final double[] values, final List<Integer> changes)
    {
        while (!changes.isEmpty())
        {
            int weakest = 0;
            double largest = 0;
            for (int i = 0; i < changes.size(); i++)
            {
                final int from = 0 == i ? 0 : changes.get(i - 1);
                final int to = i + 1 < changes.size() ? changes.get(i + 1) : values.length;
                final int count = changes.get(i) - from;
                final double[] ranks = Ranks.of(Arrays.copyOfRange(values, from, to));
                final double p = share(ranks, Stretch.size(ranks, count), (order) -> Stretch.size(order, count));
                if (p > largest)
                {
                    largest = p;
                    weakest = i;
                }
            }
            if (largest <= MAX_P_OF_NEIGHBOURS)
            {
                return;
            }
            changes.remove(weakest);
        }
    }

    /** Share of random orders with a statistic of at least this; 1 as soon as it exceeds a fifth, which is never significant. */
    private static double share(final double[] ranks, final double found, final ToDoubleFunction<double[]> statistic)
    {
        final double[] order = ranks.clone();
        final SplittableRandom random = new SplittableRandom(order.length);
        final int most = ORDER_COUNT / 5;
        int asFarCount = 0;
        for (int i = 0; i < ORDER_COUNT; i++)
        {
            for (int at = order.length - 1; at > 0; at--)
            {
                final int other = random.nextInt(at + 1);
                final double rank = order[at];
                order[at] = order[other];
                order[other] = rank;
            }
            asFarCount += statistic.applyAsDouble(order) >= found - EQUAL ? 1 : 0;
            if (asFarCount >= most)
            {
                return 1;
            }
        }
        return (asFarCount + 1.0) / (ORDER_COUNT + 1);
    }

    /** Neighbours that differ from all others. */
    private record Stretch(int from, int to, double size)
    {
        static Stretch largest(final double[] ranks)
        {
            final int count = ranks.length;
            final double[] sums = new double[count + 1];
            for (int i = 0; i < count; i++)
            {
                sums[i + 1] = sums[i] + ranks[i] - (count - 1) / 2.0;
            }
            double largest = -1;
            int begin = 0;
            int end = 0;
            for (int from = 0; from <= count - MIN_LEVEL_COUNT; from = 0 == from ? MIN_LEVEL_COUNT : from + 1)
            {
                for (int to = from + MIN_LEVEL_COUNT; to <= count; to++)
                {
                    final int length = to - from;
                    final boolean isEndOpen = to == count || to <= count - MIN_LEVEL_COUNT;
                    final double sum = sums[to] - sums[from];
                    final double size = sum * sum / ((double)length * (count - length));
                    if (isEndOpen && count - length >= MIN_LEVEL_COUNT && size > largest)
                    {
                        largest = size;
                        begin = from;
                        end = to;
                    }
                }
            }
            return new Stretch(begin, end, largest);
        }

        /** Size of the first values as a stretch. */
        static double size(final double[] ranks, final int length)
        {
            double sum = 0;
            for (int i = 0; i < length; i++)
            {
                sum += ranks[i] - (ranks.length - 1) / 2.0;
            }
            return sum * sum / length / (ranks.length - length);
        }
    }
}
