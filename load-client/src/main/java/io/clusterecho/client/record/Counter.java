package io.clusterecho.client.record;

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
    /** Further replies to a message that had one, measured. */
    DUPLICATES,
    /** First replies that came after a reply to a newer message of the same client, measured. */
    OUT_OF_ORDER,
    /** Replies that are not a whole echo of a message that was sent; counted over the whole run. */
    CORRUPT,
    /** Attempts to send that met back pressure; counted over the whole run. */
    BACK_PRESSURED,
    /** Attempts to send while no session was there; counted over the whole run. */
    DISCONNECTED,
    /** Changes of leader seen; counted over the whole run. */
    NEW_LEADERS
}
