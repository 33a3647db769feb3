package io.clusterecho.client.witness;

import java.time.Instant;

/**
 * A reading of the wall clock, which stamps captures, next to one of the client's clock. Two of them show how far the wall clock
 * was adjusted in between: intervals of the two clocks differ by that.
 *
 * @param monotonicNs of the client's clock, in the middle of the reading.
 * @param epochNs     of the wall clock since 1970, in ns.
 * @param errorNs     of the reading: half of what it took, in ns.
 */
record ClockReading(long monotonicNs, long epochNs, long errorNs)
{
    private static final int ATTEMPTS = 20;
    private static final long NS_PER_SECOND = 1_000_000_000L;

    /** Read both, as close together as possible. */
    static ClockReading read()
    {
        ClockReading best = null;
        for (int i = 0; i < ATTEMPTS; i++)
        {
            final long beforeNs = System.nanoTime();
            final Instant now = Instant.now();
            final long tookNs = System.nanoTime() - beforeNs;
            if (null == best || tookNs / 2 < best.errorNs)
            {
                best = new ClockReading(
                    beforeNs + tookNs / 2, now.getEpochSecond() * NS_PER_SECOND + now.getNano(), tookNs / 2);
            }
        }
        return best;
    }

    /** How much farther the wall clock went than the client's since an earlier reading, in ns. */
    long driftNs(final ClockReading earlier)
    {
        return epochNs - earlier.epochNs - (monotonicNs - earlier.monotonicNs);
    }
}
