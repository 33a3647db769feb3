package io.clusterecho.reporting.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

import io.clusterecho.reporting.confidence.Ranks;

/**
 * The places where a short series of independent values changed its level. Of all stretches of neighbours, that is taken whose
 * mean rank differs most from that of all other values, in units of its scatter (circular binary segmentation, A. Olshen and
 * others, Biostatistics 5, 2004): a stretch up to either end is a change, one in the middle a level that came and went. It counts
 * if the test of Mann and Whitney proves the difference, corrected for the number of stretches, so a series without any change
 * has at most the stated share of alarms whatever the distribution, approximately so where both parts have more than 20 values. A
 * series with a change is divided there and each part is tested again. Neighbours that depend on each other raise the share.
 */
final class LevelChanges
{
    /** Fewest values of a level: an outlier and its neighbour are none. */
    static final int MIN_LEVEL_COUNT = 3;

    /** Two neighbouring levels that chance explains with more than this are one. */
    private static final double MAX_P_OF_NEIGHBOURS = 0.05;

    /** Neighbours from an index, included, to another; up to the end of the series they are what others from its start leave. */
    private record Stretch(int from, int to)
    {
        /** All that leave enough values on each side of each change. */
        static List<Stretch> of(final int count)
        {
            final int last = count - MIN_LEVEL_COUNT;
            return IntStream.rangeClosed(0, last).filter((from) -> 0 == from || from >= MIN_LEVEL_COUNT).boxed()
                .flatMap((from) -> IntStream.rangeClosed(from + MIN_LEVEL_COUNT, last).mapToObj((to) -> new Stretch(from, to)))
                .toList();
        }

        /** @param sums of the ranks less their mean, up to each index. */
        double size(final double[] sums)
        {
            final double sum = sums[to] - sums[from];
            return sum * sum / ((double)(to - from) * (sums.length - 1 - to + from));
        }

        double pValue(final double[] values)
        {
            return MannWhitney.pValue(Arrays.copyOfRange(values, from, to), DoubleStream.concat(
                Arrays.stream(values, 0, from), Arrays.stream(values, to, values.length)).toArray());
        }
    }

    /**
     * @param values in order of time, without NaN.
     * @param alpha  accepted probability that a series of the same level throughout has any change, above 0, at most 0.1.
     * @return index of the first value of each further level, ascending.
     */
    static List<Integer> of(final double[] values, final double alpha)
    {
        final List<Integer> changes = new ArrayList<>();
        split(values, 0, alpha, changes);
        Collections.sort(changes);
        prune(values, changes);
        return changes;
    }

    /** Fewest values that can prove a change: of this many, one half above the other. */
    static int minCount(final double alpha)
    {
        return IntStream.iterate(2 * MIN_LEVEL_COUNT, (count) -> count + 1).filter((count) -> Stretch.of(count).size() *
            MannWhitney.leastPValue(count / 2, count - count / 2) <= alpha).findFirst().orElseThrow();
    }

    /** @param begin index of the first of these values in the series. */
    private static void split(final double[] values, final int begin, final double alpha, final List<Integer> changes)
    {
        final double[] sums = new double[values.length + 1];
        final double[] ranks = Ranks.of(values);
        for (int i = 0; i < ranks.length; i++)
        {
            sums[i + 1] = sums[i] + ranks[i] - (ranks.length - 1) / 2.0;
        }
        final List<Stretch> all = Stretch.of(values.length);
        final Optional<Stretch> largest = all.stream().max(Comparator.comparingDouble((one) -> one.size(sums)));
        if (largest.isPresent() && all.size() * largest.get().pValue(values) <= alpha)
        {
            int from = 0;
            for (final int to : new int[]{ largest.get().from, largest.get().to, values.length })
            {
                if (to > 0)
                {
                    split(Arrays.copyOfRange(values, from, to), begin + from, alpha, changes);
                    changes.addAll(to < values.length ? List.of(begin + to) : List.of());
                }
                from = to;
            }
        }
    }

    /** Remove the change that chance explains best, until there is none. */
    private static void prune(final double[] values, final List<Integer> changes)
    {
        while (!changes.isEmpty())
        {
            final double[] pValues = IntStream.range(0, changes.size()).mapToDouble((i) -> MannWhitney.pValue(
                Arrays.copyOfRange(values, 0 == i ? 0 : changes.get(i - 1), changes.get(i)), Arrays.copyOfRange(
                values, changes.get(i), i + 1 < changes.size() ? changes.get(i + 1) : values.length))).toArray();
            final double largest = Arrays.stream(pValues).max().orElseThrow();
            if (largest <= MAX_P_OF_NEIGHBOURS)
            {
                return;
            }
            changes.remove(IntStream.range(0, pValues.length).filter((i) -> largest == pValues[i]).findFirst().orElseThrow());
        }
    }
}
