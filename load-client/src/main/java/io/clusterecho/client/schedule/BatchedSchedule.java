package io.clusterecho.client.schedule;

import io.clusterecho.settings.IllegalArgument;

/** Messages in batches: all messages of a batch are due together with its first. The mean rate is unchanged. */
public record BatchedSchedule(Schedule schedule, int batchLength) implements Schedule
{
    public BatchedSchedule
    {
        IllegalArgument.throwIf(batchLength < 1, "batchLength=" + batchLength + ", allowed from 1");
    }

    @Override
    public long timeNs(final long index)
    {
        return schedule.timeNs(index - index % batchLength);
    }

    @Override
    public long distanceNs()
    {
        return batchLength * schedule.distanceNs();
    }

    @Override
    public long meanTimeNs(final long index)
    {
        return schedule.meanTimeNs(index - index % batchLength);
    }

    @Override
    public double ratePerSecond(final long beginNs, final long endNs)
    {
        return schedule.ratePerSecond(beginNs, endNs);
    }
}
