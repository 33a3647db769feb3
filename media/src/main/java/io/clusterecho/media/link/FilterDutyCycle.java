package io.clusterecho.media.link;

import java.util.function.Supplier;

import io.aeron.driver.DutyCycleTracker;

/**
 * Told by an agent of the driver of each duty cycle when it begins, before it sends or receives anything: there the agent
 * takes requests, and receives what it held. Hands the time on to the tracker that would have been told otherwise.
 */
final class FilterDutyCycle extends DutyCycleTracker
{
    private final LinkSide side;
    private final Supplier<DutyCycleTracker> trackerSupplier;
    private DutyCycleTracker tracker;

    /**
     * To be told of the duty cycles of one agent.
     *
     * @param side            of the link that this agent is.
     * @param trackerSupplier asked once, in the first duty cycle, since the counters of a tracker are made with the driver.
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
