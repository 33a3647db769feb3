package io.clusterecho.client.schedule;

import java.util.List;

import io.clusterecho.reporting.measurement.MessageKind;

/** Messages of several kinds, each at equal intervals of its own, in the order of {@link MergedSchedule}. */
public final class MergedMessages implements Messages
{
    private final List<MessageKind> kinds;
    private final Lengths lengths;

    /**
     * Messages of these kinds.
     *
     * @param kinds with rates without fractions, from 1; their sum is at most 1e9.
     * @param seed  of lengths that are drawn from a range.
     */
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
        return new Mix(new MergeOrder(kinds.stream().mapToLong((kind) -> (long)kind.ratePerSecond()).toArray()));
    }

    private final class Mix implements MessageMix
    {
        private final MergeOrder order;

        private Mix(final MergeOrder order)
        {
            this.order = order;
        }

        @Override
        public int kindOf(final long index)
        {
            return order.kindOf(index);
        }

        @Override
        public int lengthBytes(final long index)
        {
            return lengths.lengthBytes(kindOf(index), index);
        }
    }
}
