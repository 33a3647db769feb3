package io.clusterecho.client.schedule;

import java.util.List;

/** A base rate, a higher rate for a time, and the base rate again. Its text is that of steps, and means the same. */
public final class Pulse implements RateProfile
{
    private final long baseRatePerSecond;
    private final long pulseRatePerSecond;
    private final long beforeNs;
    private final long pulseNs;
    private final long afterNs;
    private final double tolerance;
    private final PiecewiseRate steps;

    /**
     * A pulse.
     *
     * @param baseRatePerSecond  before and after it, from 1.
     * @param pulseRatePerSecond in it, above the base rate.
     * @param beforeNs           time at the base rate before it, more than 0.
     * @param pulseNs            its length, more than 0.
     * @param afterNs            time at the base rate after it, more than 0.
     * @param tolerance          by which the p99 may exceed that before the pulse and count as returned, 0.5 for half.
     * @throws IllegalArgumentException if one is not allowed.
     */
    public Pulse(
        final long baseRatePerSecond,
        final long pulseRatePerSecond,
        final long beforeNs,
        final long pulseNs,
        final long afterNs,
        final double tolerance)
    {
        if (baseRatePerSecond < 1 || pulseRatePerSecond <= baseRatePerSecond || beforeNs < 1 || pulseNs < 1 || afterNs < 1)
        {
            throw new IllegalArgumentException(
                "baseRatePerSecond=" + baseRatePerSecond + ", pulseRatePerSecond=" + pulseRatePerSecond + ", beforeNs=" +
                beforeNs + ", pulseNs=" + pulseNs + ", afterNs=" + afterNs);
        }

        this.baseRatePerSecond = baseRatePerSecond;
        this.pulseRatePerSecond = pulseRatePerSecond;
        this.beforeNs = beforeNs;
        this.pulseNs = pulseNs;
        this.afterNs = afterNs;
        this.tolerance = tolerance;
        steps = new PiecewiseRate(
            "steps:" + baseRatePerSecond + "*" + text(beforeNs) + "," + pulseRatePerSecond + "*" + text(pulseNs) + "," +
            baseRatePerSecond + "*" + text(afterNs),
            List.of(
            new PiecewiseRate.Part(beforeNs, baseRatePerSecond, baseRatePerSecond),
            new PiecewiseRate.Part(pulseNs, pulseRatePerSecond, pulseRatePerSecond),
            new PiecewiseRate.Part(afterNs, baseRatePerSecond, baseRatePerSecond)), false);
    }

    /** A length without rounding, in the largest unit that allows that. */
    private static String text(final long lengthNs)
    {
        return 0 == lengthNs % 1_000_000_000L ? lengthNs / 1_000_000_000L + "s" :
            0 == lengthNs % 1_000_000L ? lengthNs / 1_000_000L + "ms" : lengthNs + "ns";
    }

    @Override
    public double count(final long timeNs)
    {
        return steps.count(timeNs);
    }

    @Override
    public long timeNs(final double count)
    {
        return steps.timeNs(count);
    }

    @Override
    public long firstRatePerSecond()
    {
        return baseRatePerSecond;
    }

    @Override
    public long highestRatePerSecond()
    {
        return pulseRatePerSecond;
    }

    /** Begin of the pulse, in ns since that of the profile. */
    public long pulseBeginNs()
    {
        return beforeNs;
    }

    /** End of the pulse, in ns since the begin of the profile. */
    public long pulseEndNs()
    {
        return beforeNs + pulseNs;
    }

    /** End of the time after the pulse, in ns since the begin of the profile. */
    public long endNs()
    {
        return beforeNs + pulseNs + afterNs;
    }

    /** By which the p99 may exceed that before the pulse and count as returned, 0.5 for half. */
    public double tolerance()
    {
        return tolerance;
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof Pulse pulse && steps.equals(pulse.steps);
    }

    @Override
    public int hashCode()
    {
        return steps.hashCode();
    }

    @Override
    public String toString()
    {
        return steps.toString();
    }
}
