package io.clusterecho.client.schedule;

import java.util.Arrays;

/** Messages of several kinds, each at equal intervals of its own: the schedule of {@link MergedMessages}. */
public final class MergedSchedule implements Schedule
{
    private final MergeOrder order;
    private final long sumPerSecond;

    /**
     * A schedule of constant rates.
     *
     * @param ratesPerSecond messages per second of each kind, from 1; their sum is at most 1e9.
     */
    public MergedSchedule(final long[] ratesPerSecond)
    {
        order = new MergeOrder(ratesPerSecond);
        sumPerSecond = Arrays.stream(ratesPerSecond).sum();
    }

    @Override
    public long timeNs(final long index)
    {
        return order.timeNs(index);
    }

    @Override
    public long distanceNs()
    {
        return 1_000_000_000L / sumPerSecond;
    }

    @Override
    public double ratePerSecond(final long beginNs, final long endNs)
    {
        return sumPerSecond;
    }
}
