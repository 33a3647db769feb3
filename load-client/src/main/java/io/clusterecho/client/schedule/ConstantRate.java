package io.clusterecho.client.schedule;

/**
 * The same rate at all times.
 *
 * @param ratePerSecond messages per second, from 1 to 1e9.
 */
public record ConstantRate(long ratePerSecond) implements RateProfile
{
    private static final long NS_PER_SECOND = 1_000_000_000L;

    public ConstantRate
    {
        if (ratePerSecond < 1 || ratePerSecond > NS_PER_SECOND)
        {
            throw new IllegalArgumentException("ratePerSecond=" + ratePerSecond + ", allowed 1 to " + NS_PER_SECOND);
        }
    }

    @Override
    public double count(final long timeNs)
    {
        return timeNs / 1e9 * ratePerSecond;
    }

    @Override
    public long timeNs(final double count)
    {
        return (long)(count * 1e9 / ratePerSecond);
    }

    @Override
    public long firstRatePerSecond()
    {
        return ratePerSecond;
    }

    @Override
    public long highestRatePerSecond()
    {
        return ratePerSecond;
    }

    @Override
    public boolean isConstant()
    {
        return true;
    }

    /** Number of messages due in a time, to the nearest. */
    @Override
    public long messageCount(final long timeNs)
    {
        final long seconds = timeNs / NS_PER_SECOND;
        return seconds * ratePerSecond + Math.round((timeNs - seconds * NS_PER_SECOND) / 1e9 * ratePerSecond);
    }

    @Override
    public String toString()
    {
        return String.valueOf(ratePerSecond);
    }
}
