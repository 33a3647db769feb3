package io.clusterecho.client.schedule;

import io.clusterecho.settings.IllegalArgument;

/**
 * Messages whose rate varies: a warm-up at the first rate of the profile, then the profile. Message n is due when as many
 * messages as its position have been due by the rate; the position is n itself for even arrivals, or the n-th arrival of a
 * process of rate 1, such as {@link PoissonSchedule}'s (a change of the time scale).
 */
public final class ProfiledSchedule implements Schedule
{
    private final RateProfile profile;
    private final PoissonSchedule arrivals;
    private final long warmUpCount;
    private final long warmUpNs;

    /**
     * Messages whose rate varies, after a warm-up of 0 or more messages.
     *
     * @param arrivals at one message per second, of which these are made, so that the count of the warm-up is a mean; null for
     *                 even distances.
     */
    public ProfiledSchedule(final RateProfile profile, final long warmUpCount, final PoissonSchedule arrivals)
    {
        IllegalArgument.throwIf(warmUpCount < 0, "warmUpCount=" + warmUpCount + ", allowed from 0");

        this.profile = profile;
        this.arrivals = arrivals;
        this.warmUpCount = warmUpCount;
        warmUpNs = (long)(warmUpCount * 1e9 / profile.firstRatePerSecond());
    }

    @Override
    public long timeNs(final long index)
    {
        return timeNs(null == arrivals ? index : arrivals.timeNs(index) / 1e9);
    }

    @Override
    public long meanTimeNs(final long index)
    {
        return timeNs((double)index);
    }

    @Override
    public double ratePerSecond(final long beginNs, final long endNs)
    {
        return endNs <= beginNs ? 0 : (count(endNs) - count(beginNs)) * 1e9 / (endNs - beginNs);
    }

    private long timeNs(final double position)
    {
        return position < warmUpCount ? (long)(position * 1e9 / profile.firstRatePerSecond()) :
            warmUpNs + profile.timeNs(position - warmUpCount);
    }

    private double count(final long timeNs)
    {
        return timeNs < warmUpNs ? timeNs / 1e9 * profile.firstRatePerSecond() : warmUpCount + profile.count(timeNs - warmUpNs);
    }
}
