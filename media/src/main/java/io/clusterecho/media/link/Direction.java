package io.clusterecho.media.link;

/** The frames of a member that an {@link Impairment} applies to. */
public enum Direction
{
    /** The first, as in {@link Impairment#NONE}. */
    BOTH,

    SEND,

    RECEIVE;

    public boolean isSend()
    {
        return RECEIVE != this;
    }

    public boolean isReceive()
    {
        return SEND != this;
    }
}
