package io.clusterecho.reporting.measurement;

/**
 * A part of a message's path from send to receive time. Stages on one host follow each other without a gap. If the leader's
 * clock is not the client's, only the sum of the first and the last stage is known.
 */
public enum Stage
{
    /** From the client's send time until the leader reads the message from its ingress. */
    TO_LEADER("toLeader", "to leader"),
    /** Until the leader's own archive has recorded it. */
    LOG("log", "log"),
    /** Until a quorum has recorded it, so that it is committed. */
    QUORUM("quorum", "quorum"),
    /** Until it is delivered to the leader's service. */
    TO_SERVICE("toService", "to service"),
    /** Until the client receives the reply; includes the work of the service. */
    TO_CLIENT("toClient", "to client"),
    /** To the leader and to the client together, if the clocks differ. */
    BOTH_WAYS("bothWays", "to leader and to client");

    private final String key;
    private final String label;

    Stage(final String key, final String label)
    {
        this.key = key;
        this.label = label;
    }

    /** Name in JSON, in camel case. */
    public String key()
    {
        return key;
    }

    /** Name for people. */
    public String label()
    {
        return label;
    }
}
