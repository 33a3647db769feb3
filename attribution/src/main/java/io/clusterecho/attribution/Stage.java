package io.clusterecho.attribution;

import java.util.Locale;

/**
 * A part of a message's path from send to receive time. Stages on one host follow each other without a gap. If the leader's
 * clock is not the client's, only the sum of the first and the last stage is known.
 */
public enum Stage
{
    /** From the client's send time until the leader reads the message from its ingress. */
    TO_LEADER,
    /** Until the leader's own archive has recorded it. */
    LOG,
    /** Until a quorum has recorded it, so that it is committed. */
    QUORUM,
    /** Until it is delivered to the leader's service. */
    TO_SERVICE,
    /** Until the client receives the reply; includes the work of the service. */
    TO_CLIENT,
    /** To the leader and to the client together, if the clocks differ. */
    BOTH_WAYS;

    /** Name for people. */
    public String label()
    {
        return BOTH_WAYS == this ? "to leader and to client" : name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
