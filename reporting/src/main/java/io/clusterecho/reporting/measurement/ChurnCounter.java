package io.clusterecho.reporting.measurement;

import java.util.Locale;

/**
 * Accounts of sessions that come and go beside a load: the columns of {@code churn.csv}. Each session that was due is in one of
 * these, so that both sums hold at any time:
 * <pre>
 *   due       = connected + refused limit + refused other + timed out unreached + timed out unanswered + failed
 *             + not attempted + in progress + not begun
 *   connected = closed + lost + unanswered + open
 * </pre>
 */
public enum ChurnCounter
{
    /** Sessions that were to be opened by now. */
    DUE,
    /** Sessions that the cluster opened. */
    CONNECTED,
    /** Requests refused because of the maximum number of sessions. */
    REFUSED_LIMIT,
    /** Requests refused for another reason, such as credentials. */
    REFUSED_OTHER,
    /** Timeouts before a request could be sent: no member's ingress was reached. */
    TIMED_OUT_UNREACHED,
    /** Timeouts after the request was sent. */
    TIMED_OUT_UNANSWERED,
    /** Attempts that failed in this client, such as no room for a stream. */
    FAILED,
    /** Sessions that this client did not try to open: it was late with them by more than the timeout of an attempt. */
    NOT_ATTEMPTED,
    /** Sessions that had their reply and asked to be closed. */
    CLOSED,
    /** Sessions that were closed by the cluster, or lost it, before their reply. */
    LOST,
    /** Sessions given up because a reply did not come. */
    UNANSWERED,
    /** Present number of sessions that are due and not begun, because this client is late or opens too many already. */
    NOT_BEGUN,
    /** Present number of sessions that are being opened. */
    IN_PROGRESS,
    /** Present number of open sessions that wait for their replies. */
    OPEN;

    /** Name of the column. */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Name in camel case, as in documents. */
    public String key()
    {
        return Counter.camelCase(name());
    }

    /** Whether it is a present number and not a sum since the start. */
    public boolean isLevel()
    {
        return compareTo(NOT_BEGUN) >= 0;
    }
}
