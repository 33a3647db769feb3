package io.clusterecho.media.counters;

/**
 * What a member's process tells of its JVM through its own media driver, once a second, so that whoever sees slow replies can
 * tell whether the process stood still. All are sums since the process began.
 */
public enum ProcessCounter
{
    /** Garbage collections. */
    COLLECTIONS(3300, "collections"),
    /** Time in garbage collections in ms. */
    COLLECTION_TIME_MS(3301, "ms in collections"),
    /** Stops of all threads, for whatever reason; collections are among them. */
    SAFEPOINTS(3302, "safepoints"),
    /** Time for which all threads were stopped, in ms; collections are in it. */
    SAFEPOINT_TIME_MS(3303, "ms at safepoints"),
    /** The longest stall of each second, added up, in ns: the difference of two looks is what happened in between. */
    STALL_SUM_NS(3304, "longest stall of each second, summed, in ns");

    private final int typeId;
    private final String label;

    ProcessCounter(final int typeId, final String label)
    {
        this.typeId = typeId;
        this.label = "process: " + label;
    }

    /**
     * Type id of the counter in the CnC file.
     *
     * @return the type id, from 3300 up and never given to another counter.
     */
    public int typeId()
    {
        return typeId;
    }

    /**
     * Label of the counter in the CnC file.
     */
    public String label()
    {
        return label;
    }
}
