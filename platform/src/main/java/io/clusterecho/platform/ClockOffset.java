package io.clusterecho.platform;

/**
 * Offset of another process's clocks from those of this one, taken from the fastest of several exchanges. The other is assumed
 * to have read its clocks in the middle of the exchange; since it read them after the begin and before the end, the error is at
 * most half the round trip.
 *
 * @param offsetNs    other - own, of the monotonic clocks that schedules run on. Their origin is arbitrary: the offset is about
 *                    0 on one machine and any number between two.
 * @param errorNs     largest possible error: half the round trip.
 * @param timeOfDayNs other - own, of the times of day, with the same error.
 */
public record ClockOffset(long offsetNs, long errorNs, long timeOfDayNs)
{
    /** From one exchange: when it began and ended here, the other's clock, and both times of day, this one's at the begin. */
    public static ClockOffset of(
        final long sentNs, final long receivedNs, final long otherNs, final long ownEpochNs, final long otherEpochNs)
    {
        final long halfNs = (receivedNs - sentNs) / 2;
        return new ClockOffset(
            otherNs - (sentNs + halfNs), (receivedNs - sentNs + 1) / 2, otherEpochNs - (ownEpochNs + halfNs));
    }

    /** The one with the smaller error of this and another, or null. */
    public ClockOffset orBetter(final ClockOffset other)
    {
        return null == other || errorNs < other.errorNs ? this : other;
    }
}
