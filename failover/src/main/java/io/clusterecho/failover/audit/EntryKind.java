package io.clusterecho.failover.audit;

/**
 * Kinds of entries in the log of a cluster.
 */
public enum EntryKind
{
    /** A message of a client's. */
    SESSION_MESSAGE("sessionMessages"),
    /** A client's session begins. */
    SESSION_OPEN("sessionOpens"),
    /** A client's session ends. */
    SESSION_CLOSE("sessionCloses"),
    /** A timer of a service's fires. */
    TIMER("timers"),
    /** A snapshot, or the cluster is suspended, resumed or shut down. */
    CLUSTER_ACTION("clusterActions"),
    /** A leader begins its term. */
    NEW_TERM("newTerms"),
    /** Of another schema or template. */
    OTHER("others");

    private final String label;

    EntryKind(final String label)
    {
        this.label = label;
    }

    /**
     * Name in reports.
     *
     * @return the name, in the plural.
     */
    public String label()
    {
        return label;
    }
}
