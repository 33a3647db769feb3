package io.clusterecho.client.schedule;

import java.util.List;

import io.clusterecho.reporting.measurement.MessageKind;

/** Messages of several kinds, each at equal intervals of its own, in the order of {@link MergedSchedule}. */
public final class MergedMessages implements Messages
{
    private final List<MessageKind> kinds;
    private final Lengths lengths;

    /** Messages of kinds with whole rates from 1 and a sum of at most 1e9; the seed is that of lengths drawn from a range. */
    public MergedMessages(final List<MessageKind> kinds, final long seed)
    {
        this.kinds = List.copyOf(kinds);
        lengths = new Lengths(kinds, seed);
    }

    @Override
    public List<MessageKind> kinds()
    {
        return kinds;
    }

    @Override
    public MessageMix newMix()
    {
        final MergedSchedule order =
            new MergedSchedule(kinds.stream().mapToLong((kind) -> (long)kind.ratePerSecond()).toArray());
        return new MessageMix()
        {
            @Override
            public int kindOf(final long index)
            {
                return order.kindOf(index);
            }

            @Override
            public int lengthBytes(final long index)
            {
                return lengths.lengthBytes(order.kindOf(index), index);
            }
        };
    }
}
