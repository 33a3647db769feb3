package io.clusterecho.media.link;

/**
 * The frames of a member that are dropped while it is cut off.
 */
public enum Direction
{
    /** Frames that it sends: it receives from the others, but they do not receive from it. */
    SEND(1),

    /** Frames that it receives: the others receive from it, but it does not receive from them. */
    RECEIVE(2),

    /** Both: a partition. */
    BOTH(3);

    private static final int SEND_BIT = 1;
    private static final int RECEIVE_BIT = 2;

    private final int bits;

    Direction(final int bits)
    {
        this.bits = bits;
    }

    /**
     * Whether frames are dropped that the member sends.
     */
    public boolean isSendCut()
    {
        return 0 != (bits & SEND_BIT);
    }

    /**
     * Whether frames are dropped that the member receives.
     */
    public boolean isReceiveCut()
    {
        return 0 != (bits & RECEIVE_BIT);
    }

    int bits()
    {
        return bits;
    }
}
