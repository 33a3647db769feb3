package io.clusterecho.media.counters;

import io.aeron.AeronCounters;
import io.aeron.driver.status.SystemCounterDescriptor;

/**
 * Where a value stands among the counters of a media driver. Where several counters are of the type, their sum is meant.
 *
 * @param typeId   of the counter.
 * @param systemId which of the driver's own counters it is, or -1 for all others.
 */
record AeronSource(int typeId, int systemId)
{
    static AeronSource of(final int typeId)
    {
        return new AeronSource(typeId, -1);
    }

    static AeronSource of(final SystemCounterDescriptor counter)
    {
        return new AeronSource(AeronCounters.DRIVER_SYSTEM_COUNTER_TYPE_ID, counter.id());
    }
}
