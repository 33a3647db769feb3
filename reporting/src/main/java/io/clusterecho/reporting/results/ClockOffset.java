package io.clusterecho.reporting.results;

/**
 * How far a worker's clocks are from those of the coordinator: from several exchanges the one that took the least time, in whose
 * middle the worker is taken to have read its clocks. It cannot have done so before the begin or after the end, so the error
 * is half the round trip at the most.
 *
 * @param offsetNs    worker - coordinator, of the clocks that schedules run on. They count from any time: on one machine it is
 *                    about 0, between two it is any number.
 * @param errorNs     by which that may be wrong at the most: half the round trip.
 * @param timeOfDayNs worker - coordinator, of the times of day, with the same error.
 */
public record ClockOffset(long offsetNs, long errorNs, long timeOfDayNs)
{
    /**
     * What one exchange tells.
     *
     * @param sentNs             when the coordinator asked, on its clock.
     * @param receivedNs         when it had the answer.
     * @param workerNs           what the worker's clock said.
     * @param coordinatorEpochNs time of day when the coordinator asked.
     * @param workerEpochNs      time of day of the worker.
     */
    public static ClockOffset of(
        final long sentNs, final long receivedNs, final long workerNs, final long coordinatorEpochNs, final long workerEpochNs)
    {
        final long halfNs = (receivedNs - sentNs) / 2;
        return new ClockOffset(
            workerNs - (sentNs + halfNs), (receivedNs - sentNs + 1) / 2, workerEpochNs - (coordinatorEpochNs + halfNs));
    }

    /**
     * The better one.
     *
     * @param other exchange, or null.
     * @return that with the smaller error.
     */
    public ClockOffset orBetter(final ClockOffset other)
    {
        return null == other || errorNs < other.errorNs ? this : other;
    }
}
