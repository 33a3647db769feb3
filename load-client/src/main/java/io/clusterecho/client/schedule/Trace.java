package io.clusterecho.client.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

import io.clusterecho.reporting.measurement.MessageKind;
import io.clusterecho.settings.IllegalArgument;

/**
 * A recorded load: when each message was sent, and how long it was. It is replayed as it is, or faster or slower, once or again
 * and again. As a rate it has the times of its messages, exactly. Immutable; 12 bytes a message.
 */
public final class Trace extends RateProfile
{
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final int MAX_SINGLE_LENGTHS = 16;

    private final long[] timesNs;
    private final int[] lengthsBytes;
    private final long periodNs;
    private final boolean isRepeated;
    /** Longest length of each kind that may occur, and the lengths that do. */
    private final int[] kindsEndBytes;
    private final List<IntSummaryStatistics> kindsLengths;
    private final long highestRatePerSecond;
    private final String digest;

    private Trace(
        final String text, final long[] timesNs, final int[] lengthsBytes, final long periodNs, final boolean isRepeated,
        final String digest)
    {
        super(text, Math.max(1, Math.round(timesNs.length * (double)NS_PER_SECOND / periodNs)));
        this.timesNs = timesNs;
        this.lengthsBytes = lengthsBytes;
        this.periodNs = periodNs;
        this.isRepeated = isRepeated;
        this.digest = digest;
        final SortedMap<Integer, IntSummaryStatistics> kinds = kinds(lengthsBytes);
        kindsEndBytes = kinds.keySet().stream().mapToInt(Integer::intValue).toArray();
        kindsLengths = List.copyOf(kinds.values());
        highestRatePerSecond = highestRatePerSecond(timesNs);
    }

    /**
     * @param timesNs      of its messages since its begin, in ns, in order, the first at 0, not all at 0; not copied.
     * @param lengthsBytes of its messages, headers included; not copied.
     * @param speed        factor by which it is replayed faster.
     * @param isRepeated   whether it begins again after its end: the mean distance of its messages after its last one.
     * @param digest       of the file, for the record.
     */
    public static Trace of(
        final long[] timesNs, final int[] lengthsBytes, final double speed, final boolean isRepeated, final String digest)
    {
        final int last = timesNs.length - 1;
        IllegalArgument.throwIf(
            last < 1 || timesNs.length != lengthsBytes.length || 0 != timesNs[0] || timesNs[last] <= 0 || !(speed > 0),
            "messages=" + timesNs.length + ", lengths=" + lengthsBytes.length + ", speed=" + speed);

        for (int i = 0; 1 != speed && i <= last; i++)
        {
            timesNs[i] = (long)(timesNs[i] / speed);
        }
        return new Trace(
            "trace:" + digest + (1 == speed ? "" : "*" + speed) + (isRepeated ? ",repeated" : ""), timesNs, lengthsBytes,
            timesNs[last] + Math.max(1, timesNs[last] / last), isRepeated, digest);
    }

    /**
     * Messages of a run: those of the trace after a warm-up, which has the lengths of the messages at its end.
     *
     * @param measuredNs    time in which these are due, in ns; kinds have their rates in that time.
     */
    public Messages messages(final long warmUpCount, final long measuredCount, final long measuredNs)
    {
        final long[] counts = new long[kindsEndBytes.length];
        for (long index = 0; index < measuredCount; index++)
        {
            counts[kindOf(lengthsBytes[(int)(index % lengthsBytes.length)])]++;
        }
        final List<MessageKind> kinds = new ArrayList<>();
        for (int i = 0; i < counts.length; i++)
        {
            final int min = kindsLengths.get(i).getMin();
            final int max = kindsLengths.get(i).getMax();
            kinds.add(new MessageKind(
                min == max ? String.valueOf(min) : min + ".." + max, min, max,
                counts[i] * (double)NS_PER_SECOND / measuredNs));
        }
        return new Replayed(kinds, warmUpCount);
    }

    /** All of its messages once, without a warm-up, with the rates of their kinds at its highest rate. */
    public Messages messages()
    {
        return messages(0, timesNs.length, Math.max(1, timesNs.length * NS_PER_SECOND / highestRatePerSecond));
    }

    private int kindOf(final int lengthBytes)
    {
        final int place = Arrays.binarySearch(kindsEndBytes, lengthBytes);
        return place < 0 ? -place - 1 : place;
    }

    public String digest()
    {
        return digest;
    }

    /** Length of the replay in ns: to its last message and a mean distance on, or {@link Long#MAX_VALUE} if it is repeated. */
    public long lengthNs()
    {
        return isRepeated ? Long.MAX_VALUE : periodNs;
    }

    @Override
    public long timeNs(final double count)
    {
        final long index = (long)count;
        return index / timesNs.length * periodNs + timesNs[(int)(index % timesNs.length)];
    }

    /** {@inheritDoc} Most messages within any second. */
    @Override
    public long highestRatePerSecond()
    {
        return highestRatePerSecond;
    }

    @Override
    public boolean isConstant()
    {
        return false;
    }

    @Override
    public double count(final long timeNs)
    {
        final long passes = isRepeated ? timeNs / periodNs : 0;
        final long restNs = timeNs - passes * periodNs;
        return passes * timesNs.length + Schedule.first(timesNs.length, (index) -> timesNs[(int)index] >= restNs);
    }

    private static long highestRatePerSecond(final long[] timesNs)
    {
        int first = 0;
        int highest = 1;
        for (int i = 0; i < timesNs.length; i++)
        {
            while (timesNs[i] - timesNs[first] >= NS_PER_SECOND)
            {
                first++;
            }
            highest = Math.max(highest, i - first + 1);
        }

        return highest;
    }

    /** Kinds of messages by the end of their ranges: one for each length, or if there are many, one for each power of two. */
    private static SortedMap<Integer, IntSummaryStatistics> kinds(final int[] lengthsBytes)
    {
        final boolean isEachOne =
            Arrays.stream(lengthsBytes).distinct().limit(MAX_SINGLE_LENGTHS + 1).count() <= MAX_SINGLE_LENGTHS;
        final SortedMap<Integer, IntSummaryStatistics> kinds = new TreeMap<>();
        for (final int length : lengthsBytes)
        {
            // The range of 1024 ends at 2047.
            final int end = isEachOne ? length : 2 * Integer.highestOneBit(length) - 1;
            kinds.computeIfAbsent(end, (one) -> new IntSummaryStatistics()).accept(length);
        }

        return kinds;
    }

    /** Its messages, in order, again and again. */
    final class Replayed extends Messages
    {
        private final long warmUpCount;

        private Replayed(final List<MessageKind> kinds, final long warmUpCount)
        {
            super(kinds, 0, false);
            this.warmUpCount = warmUpCount;
        }

        @Override
        public int kindOf(final long index)
        {
            return Trace.this.kindOf(lengthBytes(index));
        }

        @Override
        public int lengthBytes(final long index)
        {
            return lengthsBytes[(int)Math.floorMod(index - warmUpCount, (long)lengthsBytes.length)];
        }
    }
}
