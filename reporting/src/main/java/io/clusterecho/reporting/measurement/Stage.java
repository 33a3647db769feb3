package io.clusterecho.reporting.measurement;

/**
 * A stretch of a message's way from send to receive time. Those of one host follow each other without a gap; where the leader
 * has another clock than the client, the first and the last are only known together.
 */
public enum Stage
{
    /** From the client's send time until the leader takes the message from its ingress. */
    TO_LEADER("toLeader", "to leader"),
    /** Until the leader's own archive has it. */
    LOG("log", "log"),
    /** Until a majority has it, so that it is committed. */
    QUORUM("quorum", "quorum"),
    /** Until the leader's service is given it. */
    TO_SERVICE("toService", "to service"),
    /** Until the client receives the reply, with what the service does. */
    TO_CLIENT("toClient", "to client"),
    /** To the leader and to the client together, where the clocks differ. */
    BOTH_WAYS("bothWays", "to leader and to client");

    private final String key;
    private final String label;

    Stage(final String key, final String label)
    {
        this.key = key;
        this.label = label;
    }

    /**
     * Name in JSON.
     *
     * @return in camel case.
     */
    public String key()
    {
        return key;
    }

    /**
     * Name for people.
     *
     * @return in words.
     */
    public String label()
    {
        return label;
    }
}
