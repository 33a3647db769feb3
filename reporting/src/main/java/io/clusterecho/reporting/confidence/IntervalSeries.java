package io.clusterecho.reporting.confidence;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.HdrHistogram.Histogram;

/**
 * The distributions of a time in consecutive intervals of a run, in bounded memory: from {@value #MAX_COUNT} intervals on,
 * neighbours are merged, which keeps everything slower than two intervals. For one thread.
 */
public final class IntervalSeries
{
    private static final int MAX_COUNT = 1024;

    private final List<Block> blocks = new ArrayList<>();
    private int intervalsPerBlock = 1;
    private int intervalsInLast = 1;
    private int emptyCount;
    private Block whole;

    /** Ascending values with their counts. */
    record Block(long[] values, long[] counts, long total)
    {
        static final Block EMPTY = new Block(new long[0], new long[0], 0);

        Block with(final Block other)
        {
            final long[] joined = new long[values.length + other.values.length];
            final long[] joinedCounts = new long[joined.length];
            int length = 0;
            int i = 0;
            int j = 0;
            while (i < values.length || j < other.values.length)
            {
                final long next = Math.min(
                    i < values.length ? values[i] : Long.MAX_VALUE, j < other.values.length ? other.values[j] : Long.MAX_VALUE);
                joined[length] = next;
                joinedCounts[length] += i < values.length && next == values[i] ? counts[i++] : 0;
                joinedCounts[length] += j < other.values.length && next == other.values[j] ? other.counts[j++] : 0;
                length++;
            }
            return new Block(Arrays.copyOf(joined, length), Arrays.copyOf(joinedCounts, length), total + other.total);
        }

        long countUpTo(final long value)
        {
            long count = 0;
            for (int i = 0; i < values.length && values[i] <= value; i++)
            {
                count += counts[i];
            }
            return count;
        }

        /** @param rank from 1 to the number of values; others are those of the first or last. */
        long valueOfRank(final long rank)
        {
            long count = counts[0];
            int index = 0;
            while (count < rank && index < counts.length - 1)
            {
                count += counts[++index];
            }
            return values[index];
        }
    }

    /** Add the next interval, in ns. Empty ones before the first and after the last value are not in the measured window. */
    public void add(final Histogram interval)
    {
        final List<long[]> pairs = new ArrayList<>();
        interval.recordedValues().forEach((value) ->
            pairs.add(new long[]{ value.getValueIteratedTo(), value.getCountAtValueIteratedTo() }));
        add(
            pairs.stream().mapToLong((pair) -> pair[0]).toArray(), pairs.stream().mapToLong((pair) -> pair[1]).toArray());
    }

    /** Add the next interval, of ascending values in ns. */
    void add(final long[] values, final long[] counts)
    {
        final long total = Arrays.stream(counts).sum();
        whole = null;
        if (0 == total)
        {
            emptyCount++;
            return;
        }
        for (; emptyCount > 0 && !blocks.isEmpty(); emptyCount--)
        {
            append(Block.EMPTY);
        }
        emptyCount = 0;
        append(new Block(values, counts, total));
    }

    private void append(final Block next)
    {
        if (!blocks.isEmpty() && intervalsInLast < intervalsPerBlock)
        {
            blocks.set(blocks.size() - 1, blocks.get(blocks.size() - 1).with(next));
            intervalsInLast++;
            return;
        }
        if (MAX_COUNT == blocks.size())
        {
            for (int i = 0; i < MAX_COUNT / 2; i++)
            {
                blocks.set(i, blocks.get(2 * i).with(blocks.get(2 * i + 1)));
            }
            blocks.subList(MAX_COUNT / 2, MAX_COUNT).clear();
            intervalsPerBlock *= 2;
        }
        blocks.add(next);
        intervalsInLast = 1;
    }

    public long totalCount()
    {
        return blocks.stream().mapToLong(Block::total).sum();
    }

    /** Percentile, above 0 and at most 100, of the values in all intervals, in ns; there is at least one. */
    long valueAt(final double percent)
    {
        return whole().valueOfRank((long)Math.ceil(percent / 100 * whole().total));
    }

    List<Block> blocks()
    {
        return blocks;
    }

    Block whole()
    {
        if (null == whole)
        {
            whole = joined(blocks);
        }
        return whole;
    }

    private static Block joined(final List<Block> some)
    {
        final int half = some.size() / 2;
        return 0 == half ? some.get(0) : joined(some.subList(0, half)).with(joined(some.subList(half, some.size())));
    }
}
