package io.clusterecho.failover.lab;

/**
 * What a fault may do to the replies, stated before it is injected. Nothing acknowledged may be lost with any of them.
 */
public enum Expectation
{
    /** The leader keeps a quorum: replies may be late, but there is no election. */
    LEADER_STAYS("the leader stays"),

    /** The others may elect a leader: an outage of at most one election. */
    ONE_ELECTION("one election"),

    /** The leader has a quorum but no clients: no replies until it is back. */
    NO_CLIENTS("no replies until the leader has its clients back"),

    /** The others have no quorum: an outage until the victims are back, and an election. */
    NO_QUORUM("no quorum until the victims return");

    private final String words;

    Expectation(final String words)
    {
        this.words = words;
    }

    /**
     * As words in texts and results.
     */
    @Override
    public String toString()
    {
        return words;
    }
}
