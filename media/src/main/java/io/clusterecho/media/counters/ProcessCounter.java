package io.clusterecho.media.counters;

/**
 * Counters of a member's JVM, published through its media driver once a second, so that slow replies can be attributed to a
 * stopped process. All are sums since the process started.
 */
public enum ProcessCounter
{
    COLLECTIONS(3300, "collections"),
    COLLECTION_TIME_MS(3301, "ms in collections"),
    SAFEPOINTS(3302, "safepoints"),
    SAFEPOINT_TIME_MS(3303, "ms at safepoints"),
    /** Sum of the longest stalls of each second, in ns; the difference between two reads covers the time between them. */
    STALL_SUM_NS(3304, "longest stall of each second, summed, in ns"),
    /** Time of all compiler threads in finished compilations, in ms. */
    COMPILATION_TIME_MS(3305, "ms in compilations");

    private final int typeId;
    private final String label;

    ProcessCounter(final int typeId, final String label)
    {
        this.typeId = typeId;
        this.label = "process: " + label;
    }

    /** Type id of the counter in the CnC file, from 3300 up; never reused for another counter. */
    public int typeId()
    {
        return typeId;
    }

    public String label()
    {
        return label;
    }
}
