package io.clusterecho.platform;

/**
 * The time of day on the monotonic clock. The two differ by a constant until somebody sets the time of day: adjustments of its
 * speed, as NTP makes, apply to both. After a step, times of day that were taken around it are ambiguous: for a second it
 * converts no time. Not thread-safe; does not allocate.
 */
final class StepWatch
{
    /** Times of day of something that waited are not older than this when a step is noticed. */
    static final long DISTRUST_NS = 1_000_000_000L;
    /** Differences of two readings that are not a step, beyond the time that the readings took. */
    private static final long TOLERANCE_NS = 1_000;

    private boolean isKnown;
    private boolean isDistrusted;
    private long offsetNs;
    private long errorNs;
    private long trustedFromNs;

    /**
     * Compare the clocks by a reading of the time of day, in ns since 1970, between two of the monotonic clock. Readings that
     * took longer than the best one are less exact and only show steps.
     */
    void onReading(final long beforeNs, final long timeOfDayNs, final long afterNs)
    {
        final long newErrorNs = (afterNs - beforeNs) / 2;
        final long newOffsetNs = timeOfDayNs - beforeNs - newErrorNs;
        final boolean isStep = isKnown && Math.abs(newOffsetNs - offsetNs) > newErrorNs + errorNs + TOLERANCE_NS;
        if (isStep)
        {
            isDistrusted = true;
            trustedFromNs = afterNs + DISTRUST_NS;
        }
        if (!isKnown || isStep || newErrorNs < errorNs)
        {
            isKnown = true;
            offsetNs = newOffsetNs;
            errorNs = newErrorNs;
        }
    }

    /**
     * Convert a time of day, in ns since 1970, to the monotonic clock; {@link ArrivalClock#UNKNOWN_NS} in the second after a
     * step.
     */
    long monotonicNs(final long timeOfDayNs, final long nowNs)
    {
        isDistrusted &= nowNs - trustedFromNs < 0;
        return isDistrusted || !isKnown ? ArrivalClock.UNKNOWN_NS : timeOfDayNs - offsetNs;
    }
}
