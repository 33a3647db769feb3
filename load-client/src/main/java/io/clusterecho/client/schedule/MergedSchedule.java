package io.clusterecho.client.schedule;

import java.util.Arrays;

/**
 * Messages of several kinds, each at equal intervals of its own: the schedule of {@link MergedMessages}.
 */
public final class MergedSchedule implements Schedule
{
    private final MergeOrder order;
    private final long distanceNs;

    /**
     * A schedule of constant rates.
     *
     * @param ratesPerSecond messages per second of each kind, from 1; their sum is at most 1e9.
     */
    public MergedSchedule(final long[] ratesPerSecond)
    {
        order = new MergeOrder(ratesPerSecond);
        distanceNs = 1_000_000_000L / Arrays.stream(ratesPerSecond).sum();
    }

    @Override
    public long timeNs(final long index)
    {
        return order.timeNs(index);
    }

    @Override
    public long distanceNs()
    {
        return distanceNs;
    }
}
