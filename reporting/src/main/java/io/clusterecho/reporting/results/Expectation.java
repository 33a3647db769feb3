package io.clusterecho.reporting.results;

import com.fasterxml.jackson.annotation.JsonValue;

/** What a fault may do to the replies, stated before it is injected. Nothing acknowledged may be lost with any of them. */
public enum Expectation
{
    /** The leader keeps a quorum: replies may be late, but there is no election. */
    LEADER_STAYS("the leader stays"),

    /** The others may elect a leader: an outage of at most one election. */
    ONE_ELECTION("one election"),

    /** Two faults: the second may end what the first has begun, or slow it down. An outage of at most two elections. */
    TWO_ELECTIONS("two elections"),

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
     * What two faults may do that together leave a quorum.
     *
     * @param isAlike whether both leave all members in the cluster, or neither does; otherwise one of them may slow an election
     *                down that the other causes, so that it is held again.
     */
    public Expectation and(final Expectation other, final boolean isAlike)
    {
        final Expectation less = compareTo(other) < 0 ? this : other;
        final Expectation more = less == this ? other : this;
        if (NO_CLIENTS == more)
        {
            return LEADER_STAYS == less ? NO_CLIENTS : NO_QUORUM;
        }
        return ONE_ELECTION == more && (ONE_ELECTION == less || !isAlike) ? TWO_ELECTIONS : more;
    }

    /** The expectation in words, for texts and results. */
    @JsonValue
    @Override
    public String toString()
    {
        return words;
    }
}
