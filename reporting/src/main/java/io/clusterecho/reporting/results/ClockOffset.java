package io.clusterecho.reporting.results;

/**
 * Offset of a worker's clocks from the coordinator's, taken from the fastest of several exchanges. The worker is assumed to
 * have read its clocks in the middle of the exchange; since it read them after the begin and before the end, the error is at
 * most half the round trip.
 *
 * @param offsetNs    worker - coordinator, of the monotonic clocks that schedules run on. Their origin is arbitrary: the offset
 *                    is about 0 on one machine and any number between two.
 * @param errorNs     largest possible error: half the round trip.
 * @param timeOfDayNs worker - coordinator, of the times of day, with the same error.
 */
public record ClockOffset(long offsetNs, long errorNs, long timeOfDayNs)
{
    /**
     * Offset from one exchange.
     *
     * @param sentNs             when the coordinator sent the request, on its clock.
     * @param coordinatorEpochNs time of day when the coordinator sent the request.
     */
    public static ClockOffset of(
        final long sentNs, final long receivedNs, final long workerNs, final long coordinatorEpochNs, final long workerEpochNs)
    {
        final long halfNs = (receivedNs - sentNs) / 2;
        return new ClockOffset(
            workerNs - (sentNs + halfNs), (receivedNs - sentNs + 1) / 2, workerEpochNs - (coordinatorEpochNs + halfNs));
    }

    /** The offset with the smaller error; the other may be null. */
    public ClockOffset orBetter(final ClockOffset other)
    {
        return null == other || errorNs < other.errorNs ? this : other;
    }
}
