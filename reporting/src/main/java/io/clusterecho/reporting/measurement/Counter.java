package io.clusterecho.reporting.measurement;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Counters of the load agent. "Measured" counts messages whose intended send time is in the measured window; "all" includes the
 * warm-up.
 */
public enum Counter
{
    /** Messages of the measured window: the sum of answered, late, unanswered and never sent; known at the end. */
    SCHEDULED,
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
    /** Sent, without a reply by the end; measured. */
    UNANSWERED,
    /** Due, but not accepted by the transport by the end; measured. */
    NEVER_SENT,
    /** Further replies to an answered message, measured; with exactly-once delivery, only those that report "applied now". */
    DUPLICATES,
    /** Further replies to an answered message that may be: those that report "applied before"; counted over the whole run. */
    REPEATED,
    /** Messages sent again; counted over the whole run. */
    RESENT,
    /** Requests that the service rejected because an earlier one was missing; counted over the whole run. */
    GAPS,
    /** Acknowledged messages that the service requested again; counted over the whole run. */
    FORGOTTEN,
    /** Duty cycles in which a due message waited because too many were unacknowledged; counted over the whole run. */
    BOUND_WAITS,
    /** Messages of the warm-up that could not be sent by its end and were skipped. */
    WARM_UP_SKIPPED,
    /** First replies overtaken by a reply to a newer message of the same client, measured. */
    OUT_OF_ORDER,
    /** Replies that are damaged, or not the complete echo of a sent message; counted over the whole run. */
    CORRUPT,
    /** Messages of another service than the echo that answer no message of their session; counted over the whole run. */
    EVENTS,
    /** Attempts to send that met back pressure; counted over the whole run. */
    BACK_PRESSURED,
    /** Attempts to send without a session; counted over the whole run. */
    DISCONNECTED,
    /** Changes of leader seen; counted over the whole run. */
    NEW_LEADERS,
    /** Sessions opened to replace lost ones; counted over the whole run. */
    RECONNECTS;

    private static final Pattern WORD_BEGIN = Pattern.compile("_(.)");

    /** Name in camel case, as in documents. */
    public String key()
    {
        return camelCase(name());
    }

    /** A name in upper case with underscores, as in {@code inFlight}. */
    public static String camelCase(final String name)
    {
        return WORD_BEGIN.matcher(name.toLowerCase(Locale.ROOT)).replaceAll((word) -> word.group(1).toUpperCase(Locale.ROOT));
    }
}
