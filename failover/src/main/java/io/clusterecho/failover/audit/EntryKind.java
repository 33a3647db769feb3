package io.clusterecho.failover.audit;

/** Kinds of entries in the log of a cluster. */
public enum EntryKind
{
    /** A message from a client. */
    SESSION_MESSAGE("sessionMessages"),
    /** A client's session begins. */
    SESSION_OPEN("sessionOpens"),
    /** A client's session ends. */
    SESSION_CLOSE("sessionCloses"),
    /** A timer of the service fires. */
    TIMER("timers"),
    /** A snapshot, or the cluster is suspended, resumed or shut down. */
    CLUSTER_ACTION("clusterActions"),
    /** A leader begins its term. */
    NEW_TERM("newTerms"),
    /** Another schema or template. */
    OTHER("others");

    private final String label;

    EntryKind(final String label)
    {
        this.label = label;
    }

    /** Name in reports, in the plural. */
    public String label()
    {
        return label;
    }
}
