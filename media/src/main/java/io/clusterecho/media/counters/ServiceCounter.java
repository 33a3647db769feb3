package io.clusterecho.media.counters;

/**
 * The counters that the echo service keeps in the CnC file of its member's media driver, where {@code status} and Aeron's own
 * tools find them by type id. Each stands there once. All count from the start of the service on this member, except those
 * said to be replicated, which are equal on all members that have applied the log up to the same position.
 */
public enum ServiceCounter
{
    /** Session messages taken from the log, good or bad. */
    RECEIVED(3200, "messages received"),
    /** Replicated: requests applied, those of earlier runs of the cluster included. */
    APPLIED(3201, "requests applied"),
    /** Requests that had been applied before and were answered again. */
    REPEATED(3202, "requests repeated"),
    /** Requests applied although sequences before them never came. */
    APPLIED_AFTER_GAP(3203, "requests applied after a gap"),
    /** Ordered requests that came too early and were not applied. */
    TOO_EARLY(3204, "ordered requests too early"),
    /** Messages shorter than their header or block; ignored. */
    REFUSED_SHORT(3205, "refused: short"),
    /** Messages of another schema, or of a version that is newer; ignored. */
    REFUSED_WRONG_SCHEMA(3206, "refused: wrong schema"),
    /** Messages of a template that is no echo message; ignored. */
    REFUSED_UNKNOWN_TEMPLATE(3207, "refused: unknown template"),
    /** Messages whose check does not fit their bytes; ignored. */
    REFUSED_CORRUPT(3208, "refused: corrupt"),
    /** Messages longer than allowed; ignored. */
    REFUSED_OVERSIZED(3209, "refused: oversized"),
    /** Responses sent to the service; ignored. */
    REFUSED_RESPONSE(3210, "refused: a response"),
    /** Requests with a sequence below 0; ignored. */
    REFUSED_NEGATIVE_SEQUENCE(3211, "refused: negative sequence"),
    /** Replies that the session's egress took, at once or from the backlog. */
    REPLIES_SENT(3212, "replies sent"),
    /** Replies that had to wait in a backlog first. */
    REPLIES_BACK_PRESSURED(3213, "replies back-pressured"),
    /** Now: bytes of replies that wait in the backlogs of all sessions. */
    BACKLOG_BYTES(3214, "backlogged bytes"),
    /** Replies that were due from this leader and will never be sent by it. */
    REPLIES_DROPPED(3215, "replies dropped"),
    /** Sessions that the service asked to be closed because it dropped replies of theirs. */
    SESSIONS_CLOSED(3216, "sessions closed for dropped replies"),
    /** Clients forgotten in favour of new ones. */
    CLIENTS_EVICTED(3217, "clients evicted"),
    /** Replicated, now: clients remembered. */
    CLIENTS(3218, "clients"),
    /** Replicated, now: checksum over all requests applied; equal counts of APPLIED must show equal checksums. */
    STATE_CHECKSUM(3219, "state checksum"),
    /** Attempts to schedule the flush timer that failed because the consensus module was gone. */
    TIMER_FAILURES(3220, "flush timer failures"),
    /**
     * Replicated, now: position in bytes behind the last entry of the log that the service dealt with, to which the other
     * replicated counters belong; -1 while they change. Whoever reads the same value before and after them has them whole.
     */
    STATE_POSITION(3221, "state position");

    private final int typeId;
    private final String label;

    ServiceCounter(final int typeId, final String label)
    {
        this.typeId = typeId;
        this.label = "echo-service: " + label;
    }

    /**
     * Type id of the counter in the CnC file.
     *
     * @return the type id, from 3200 up and never given to another counter.
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
