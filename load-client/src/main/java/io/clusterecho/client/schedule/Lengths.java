package io.clusterecho.client.schedule;

import java.util.List;

import io.clusterecho.reporting.measurement.MessageKind;

/** Lengths of messages whose kinds are known: that of the kind, or drawn from its range. Immutable. */
final class Lengths
{
    private static final int SERIES = 2;

    private final int[] minLengthsBytes;
    private final int[] counts;
    private final long seed;

    Lengths(final List<MessageKind> kinds, final long seed)
    {
        minLengthsBytes = kinds.stream().mapToInt(MessageKind::minLengthBytes).toArray();
        counts = kinds.stream().mapToInt((kind) -> kind.maxLengthBytes() - kind.minLengthBytes() + 1).toArray();
        this.seed = Draw.series(seed, SERIES);
    }

    int lengthBytes(final int kind, final long index)
    {
        return 1 == counts[kind] ? minLengthsBytes[kind] :
            minLengthsBytes[kind] + (int)Draw.below(seed, index, counts[kind]);
    }
}
