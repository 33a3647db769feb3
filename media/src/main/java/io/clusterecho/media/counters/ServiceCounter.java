package io.clusterecho.media.counters;

/**
 * The counters of the echo service in the CnC file of its member's media driver, where {@code status} and Aeron's own tools find
 * them by type id. One of each. All count from the start of the service on this member, except replicated ones, which are equal
 * on all members that have applied the log up to the same position.
 */
public enum ServiceCounter
{
    /** Session messages taken from the log, good or bad. */
    RECEIVED(3200, "messages received"),
    /** Replicated: requests applied, including those of earlier runs of the cluster. */
    APPLIED(3201, "requests applied"),
    /** Requests that had been applied before and were answered again. */
    REPEATED(3202, "requests repeated"),
    APPLIED_AFTER_GAP(3203, "requests applied after a gap"),
    TOO_EARLY(3204, "ordered requests too early"),
    REFUSED_SHORT(3205, "refused: short"),
    /** Messages of another schema or a newer version; ignored. */
    REFUSED_WRONG_SCHEMA(3206, "refused: wrong schema"),
    REFUSED_UNKNOWN_TEMPLATE(3207, "refused: unknown template"),
    REFUSED_CORRUPT(3208, "refused: corrupt"),
    REFUSED_OVERSIZED(3209, "refused: oversized"),
    REFUSED_RESPONSE(3210, "refused: a response"),
    REFUSED_NEGATIVE_SEQUENCE(3211, "refused: negative sequence"),
    /** Replies that the session's egress accepted, at once or from the backlog. */
    REPLIES_SENT(3212, "replies sent"),
    /** Replies that went into a backlog first. */
    REPLIES_BACK_PRESSURED(3213, "replies back-pressured"),
    /** Present value: length of the backlogs of all sessions in bytes. */
    BACKLOG_BYTES(3214, "backlogged bytes"),
    /** Replies that were due from this leader and will never be sent by it. */
    REPLIES_DROPPED(3215, "replies dropped"),
    /** Sessions that the service requested to close because it dropped their replies. */
    SESSIONS_CLOSED(3216, "sessions closed for dropped replies"),
    CLIENTS_EVICTED(3217, "clients evicted"),
    /** Replicated, present value: clients in the table. */
    CLIENTS(3218, "clients"),
    /** Replicated, present value: checksum over all applied requests; equal counts of APPLIED must have equal checksums. */
    STATE_CHECKSUM(3219, "state checksum"),
    /** Attempts to schedule the flush timer that failed because the consensus module was gone. */
    TIMER_FAILURES(3220, "flush timer failures"),
    /**
     * Replicated, present value: position in bytes after the last log entry that the service handled, to which the other
     * replicated counters belong; -1 while they change. They are consistent if it is the same before and after reading them.
     */
    STATE_POSITION(3221, "state position"),
    /** Time in ns for which the service wrote snapshots and answered nothing. */
    SNAPSHOT_TIME(3222, "time in snapshots in ns"),
    /** Time in ns to load the snapshot that the service started from; 0 if there was none. */
    LOAD_TIME(3223, "time to load its snapshot in ns"),
    SESSIONS(3224, "open sessions"),
    SESSIONS_OPENED(3225, "sessions opened"),
    /** Sessions closed because nothing was received from their clients. */
    SESSIONS_TIMED_OUT(3226, "sessions timed out");

    private final int typeId;
    private final String label;

    ServiceCounter(final int typeId, final String label)
    {
        this.typeId = typeId;
        this.label = "echo-service: " + label;
    }

    /** Type id of the counter in the CnC file, from 3200 up; never reused for another counter. */
    public int typeId()
    {
        return typeId;
    }

    public String label()
    {
        return label;
    }
}
