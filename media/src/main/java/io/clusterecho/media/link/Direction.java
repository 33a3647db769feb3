package io.clusterecho.media.link;

/**
 * Which frames of a member are dropped while it is cut off.
 */
public enum Direction
{
    /** Those that it sends: it hears the others, and they do not hear it. */
    SEND(1),

    /** Those that it receives: the others hear it, and it does not hear them. */
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
     * Are frames dropped that the member sends?
     *
     * @return true if so.
     */
    public boolean isSendCut()
    {
        return 0 != (bits & SEND_BIT);
    }

    /**
     * Are frames dropped that the member receives?
     *
     * @return true if so.
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
