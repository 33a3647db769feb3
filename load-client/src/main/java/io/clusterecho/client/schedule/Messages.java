package io.clusterecho.client.schedule;

import java.util.List;

import io.clusterecho.reporting.measurement.MessageKind;
import io.clusterecho.settings.IllegalArgument;

/**
 * The messages of a load: each is of a kind with the probability of the kind's share of the rate, whatever the others are, and
 * has a length of its kind. Both are functions of its index and the seed, or recorded in a {@link Trace}. Immutable; does not
 * allocate.
 */
public sealed class Messages permits Trace.Replayed
{
    /** Maximum number of kinds; each has histograms of its own. */
    public static final int MAX_KINDS = 32;

    private static final int KIND_SERIES = 1;
    private static final int LENGTH_SERIES = 2;

    private final List<MessageKind> kinds;
    private final double[] cumulativeShares;
    private final int[] minLengthsBytes;
    private final int[] lengthCounts;
    private final boolean isEven;
    private final long kindSeed;
    private final long lengthSeed;

    /**
     * Messages of kinds with rates from 0 and a sum above 0; the same seed yields the same messages.
     *
     * @param isEven whether each kind comes at nearly equal distances; otherwise the kind of each message is drawn.
     */
    public Messages(final List<MessageKind> kinds, final long seed, final boolean isEven)
    {
        final double wholeRate = kinds.stream().mapToDouble(MessageKind::ratePerSecond).sum();
        IllegalArgument.throwIf(
            !(wholeRate > 0) || kinds.size() > MAX_KINDS || kinds.stream().anyMatch((kind) -> kind.ratePerSecond() < 0),
            "kinds=" + kinds + ", allowed 1 to " + MAX_KINDS + " with a rate above 0");

        this.kinds = List.copyOf(kinds);
        this.isEven = isEven;
        kindSeed = Draw.series(seed, KIND_SERIES);
        lengthSeed = Draw.series(seed, LENGTH_SERIES);
        minLengthsBytes = kinds.stream().mapToInt(MessageKind::minLengthBytes).toArray();
        lengthCounts = kinds.stream().mapToInt((kind) -> kind.maxLengthBytes() - kind.minLengthBytes() + 1).toArray();
        cumulativeShares = new double[kinds.size()];
        double sum = 0;
        for (int i = 0; i < cumulativeShares.length; i++)
        {
            sum += kinds.get(i).ratePerSecond();
            cumulativeShares[i] = sum / wholeRate;
        }
    }

    /** Messages of one length, header included. */
    public static Messages ofLength(final int lengthBytes, final double ratePerSecond)
    {
        return new Messages(
            List.of(new MessageKind(String.valueOf(lengthBytes), lengthBytes, lengthBytes, ratePerSecond)), 0, false);
    }

    /** Kinds of messages, at least one, in the order of results. */
    public List<MessageKind> kinds()
    {
        return kinds;
    }

    /** Length of the longest message in bytes. */
    public int maxLengthBytes()
    {
        return kinds.stream().mapToInt(MessageKind::maxLengthBytes).max().orElseThrow();
    }

    /** Kind of message n, from 0: its index in {@link #kinds()}. */
    public int kindOf(final long index)
    {
        final int last = cumulativeShares.length - 1;
        if (0 == last)
        {
            return 0;
        }
        final double drawn = isEven ? Draw.even(kindSeed, index) : Draw.uniform(kindSeed, index);
        int kind = 0;
        while (kind < last && drawn > cumulativeShares[kind])
        {
            kind++;
        }

        return kind;
    }

    /** Length of message n, from 0, header included. */
    public int lengthBytes(final long index)
    {
        final int kind = kindOf(index);
        return 1 == lengthCounts[kind] ? minLengthsBytes[kind] :
            minLengthsBytes[kind] + (int)Draw.below(lengthSeed, index, lengthCounts[kind]);
    }
}
