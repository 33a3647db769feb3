package io.clusterecho.media.counters;

import io.aeron.AeronCounters;
import io.aeron.driver.status.SystemCounterDescriptor;

/**
 * Identifies a value among the counters of a media driver: the sum of all counters of a type.
 *
 * @param systemId id of one of the driver's own counters, or -1 for all others.
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
