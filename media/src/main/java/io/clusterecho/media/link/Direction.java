package io.clusterecho.media.link;

/** The frames of a member that an {@link Impairment} applies to. */
public enum Direction
{
    /** Frames that it sends. */
    SEND,

    /** Frames that it receives. */
    RECEIVE,

    /** Inbound and outbound. */
    BOTH;

    /** Whether it includes frames that the member sends. */
    public boolean isSend()
    {
        return RECEIVE != this;
    }

    /** Whether it includes frames that the member receives. */
    public boolean isReceive()
    {
        return SEND != this;
    }
}
