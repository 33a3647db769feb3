package io.clusterecho.client.schedule;

import java.util.List;

/**
 * A target rate over time, and the number of messages that is due up to a time: the integral of the rate, with its inverse. Both
 * are computed from their argument alone, so that nothing accumulates. Immutable; any thread. {@link Object#toString()} is the
 * text that {@link #parse} reads.
 */
public interface RateProfile
{
    /**
     * Read a rate, constant or varying. Rates are per second and times have units, as in other options:
     * <pre>
     *   10k                          constant
     *   steps:10k*5s,50k*5s          one rate after the other; the last one holds
     *   ramp:1k..50k/30s             linear, from one rate to the other in this time; then the second holds
     *   sine:2k..20k/10s             between two rates with this period, from the lower one
     *   on-off:20k*1s/500ms          a rate for the first time, nothing for the second, repeated
     * </pre>
     *
     * @return the profile of this text, of which {@code toString()} is again the text.
     * @throws IllegalArgumentException whose message says what is allowed.
     */
    static RateProfile parse(final String text)
    {
        return RateGrammar.parse(text.trim());
    }

    /** The same rate at all times, from 1 to 1e9 messages per second. */
    static RateProfile constant(final long ratePerSecond)
    {
        return PiecewiseRate.constant(ratePerSecond);
    }

    /**
     * A base rate, a higher rate for a time, and the base rate again, as steps.
     *
     * @param tolerance by which the p99 may exceed that before the pulse and count as returned, 0.5 for half.
     */
    static RateProfile pulse(
        final long baseRatePerSecond, final long pulseRatePerSecond, final long beforeNs, final long pulseNs,
        final long afterNs, final double tolerance)
    {
        return PiecewiseRate.pulse(baseRatePerSecond, pulseRatePerSecond, beforeNs, pulseNs, afterNs, tolerance);
    }

    /** By how much the p99 after a pulse may exceed that before it; null if the rate is not that of an overload test. */
    default Double pulseTolerance()
    {
        return null;
    }

    /** Number of messages due before a time since the begin of the profile: the integral of the rate, not rounded. */
    double count(long timeNs);

    /**
     * The inverse of {@link #count}: when a number of messages has been due.
     *
     * @param count from 0.
     * @return ns since the begin of the profile; where nothing is due for a time, its end. Never decreases with the count.
     */
    long timeNs(double count);

    /** Messages per second at the begin, which is the rate of the warm-up before it; at least 1. */
    long firstRatePerSecond();

    /** Highest rate at any time, in messages per second. */
    long highestRatePerSecond();

    default boolean isConstant()
    {
        return false;
    }

    /** The parts of a rate that goes in steps, the last of which holds beyond its length; none for other shapes. */
    default List<Step> steps()
    {
        return List.of();
    }

    /** A step of a profile, with a rate of 0 for a pause. */
    record Step(long ratePerSecond, long lengthNs)
    {
    }

    /**
     * Number of whole messages due before a time: message n is due at {@code timeNs(n)}.
     *
     * @param timeNs since the begin of the profile, from 0.
     * @return the smallest count whose message is due at this time or later.
     */
    default long messageCount(final long timeNs)
    {
        final double count = count(timeNs);
        return (long)Math.ceil(count - tolerance(count));
    }

    /** How near to the end of a part a count is taken for that end: above the rounding error of a double, far below a message. */
    static double tolerance(final double count)
    {
        return 1e-9 + count * 1e-15;
    }
}
