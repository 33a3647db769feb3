package io.clusterecho.media.link;

import java.util.function.Supplier;

import io.aeron.driver.DutyCycleTracker;

/**
 * Called by an agent of the driver at the beginning of each duty cycle, before it sends or receives: the agent then reads
 * requests, and processes frames that are due. Passes the time to the tracker that it replaces.
 */
final class FilterDutyCycle extends DutyCycleTracker
{
    private final LinkSide side;
    private final Supplier<DutyCycleTracker> trackerSupplier;
    private DutyCycleTracker tracker;

    /**
     * Hook for the duty cycles of one agent.
     *
     * @param side            of the link that this agent is.
     * @param trackerSupplier called once, in the first duty cycle, because the counters of a tracker are made with the driver.
     */
    FilterDutyCycle(final LinkSide side, final Supplier<DutyCycleTracker> trackerSupplier)
    {
        this.side = side;
        this.trackerSupplier = trackerSupplier;
    }

    @Override
    public void reportMeasurement(final long durationNs)
    {
        side.onDutyCycle();
        if (null == tracker)
        {
            tracker = trackerSupplier.get();
        }
        tracker.reportMeasurement(durationNs);
    }
}
