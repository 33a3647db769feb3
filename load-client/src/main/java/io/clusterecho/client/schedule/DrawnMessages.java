package io.clusterecho.client.schedule;

import java.util.List;

import io.clusterecho.reporting.measurement.MessageKind;

/**
 * Messages whose kind is drawn: each is of a kind with the probability of the kind's share of the rate, whatever the others are.
 * The kind of message n is a function of n and the seed. Immutable.
 */
public final class DrawnMessages implements Messages, MessageMix
{
    private static final int SERIES = 1;

    private final List<MessageKind> kinds;
    private final double[] cumulativeShares;
    private final Lengths lengths;
    private final long seed;

    /** Messages of kinds with rates above 0; the same seed yields the same messages. */
    public DrawnMessages(final List<MessageKind> kinds, final long seed)
    {
        if (kinds.isEmpty() || kinds.size() > MAX_KINDS || kinds.stream().anyMatch((kind) -> !(kind.ratePerSecond() > 0)))
        {
            throw new IllegalArgumentException("kinds=" + kinds + ", allowed 1 to " + MAX_KINDS + " with rates above 0");
        }

        this.kinds = List.copyOf(kinds);
        this.seed = Draw.series(seed, SERIES);
        lengths = new Lengths(kinds, seed);
        cumulativeShares = new double[kinds.size()];
        final double wholeRate = kinds.stream().mapToDouble(MessageKind::ratePerSecond).sum();
        double sum = 0;
        for (int i = 0; i < cumulativeShares.length; i++)
        {
            sum += kinds.get(i).ratePerSecond();
            cumulativeShares[i] = sum / wholeRate;
        }
    }

    @Override
    public List<MessageKind> kinds()
    {
        return kinds;
    }

    @Override
    public MessageMix newMix()
    {
        return this;
    }

    @Override
    public int kindOf(final long index)
    {
        final int last = cumulativeShares.length - 1;
        if (0 == last)
        {
            return 0;
        }

        final double drawn = Draw.uniform(seed, index);
        int kind = 0;
        while (kind < last && drawn > cumulativeShares[kind])
        {
            kind++;
        }

        return kind;
    }

    @Override
    public int lengthBytes(final long index)
    {
        return lengths.lengthBytes(kindOf(index), index);
    }
}
