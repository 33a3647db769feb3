package io.clusterecho.reporting.measurement;

/**
 * What the agent counts while it runs. "Measured" counts are of messages whose intended send time lies in the measured
 * window; "all" includes the warm-up.
 */
public enum Counter
{
    /** Messages handed to a transport, all. */
    SENT_ALL,
    /** First replies, all. */
    ANSWERED_ALL,
    /** Messages handed to a transport, measured. */
    SENT,
    /** First replies within the late limit, measured. */
    ANSWERED,
    /** First replies beyond the late limit, measured. */
    LATE,
    /** Further replies to a message that had one, measured; where messages are sent again, those that say "applied now". */
    DUPLICATES,
    /** Replies that say "had been applied before" to a message that was answered already; counted over the whole run. */
    REPEATED,
    /** Messages sent again; counted over the whole run. */
    RESENT,
    /** Requests that the service refused because an earlier one was missing; counted over the whole run. */
    GAPS,
    /** Acknowledged messages that the service asked for again; counted over the whole run. */
    FORGOTTEN,
    /** Turns in which a message that was due waited because too many were unacknowledged; counted over the whole run. */
    BOUND_WAITS,
    /** Messages of the warm-up that were left out at its end, as they could not be sent by then. */
    WARM_UP_SKIPPED,
    /** First replies that came after a reply to a newer message of the same client, measured. */
    OUT_OF_ORDER,
    /** Replies that are not a whole echo of a message that was sent; counted over the whole run. */
    CORRUPT,
    /** Attempts to send that met back pressure; counted over the whole run. */
    BACK_PRESSURED,
    /** Attempts to send while no session was there; counted over the whole run. */
    DISCONNECTED,
    /** Changes of leader seen; counted over the whole run. */
    NEW_LEADERS,
    /** Sessions opened in place of lost ones; counted over the whole run. */
    RECONNECTS
}
