package io.clusterecho.media.socket;

/**
 * Whether to read from a socket: once it was found, until a read finds nothing.
 */
final class WatchedSocket
{
    /** A socket that is read in each turn, found or not. */
    static final WatchedSocket TRIED = new WatchedSocket(null);

    /** Null if it is not watched. */
    private final SocketWatch watch;
    private boolean isReady;

    WatchedSocket(final SocketWatch watch)
    {
        this.watch = watch;
    }

    /**
     * It has at least one datagram.
     */
    void onFound()
    {
        if (null != watch && !isReady)
        {
            isReady = true;
            watch.onReady(1);
        }
    }

    boolean isToBeRead()
    {
        return null == watch || isReady;
    }

    /**
     * It was read.
     *
     * @param isSuccessful whether there was a datagram.
     */
    void onRead(final boolean isSuccessful)
    {
        if (!isSuccessful)
        {
            forget();
        }
    }

    /**
     * It is read no more until it is found again.
     */
    void forget()
    {
        if (null != watch && isReady)
        {
            isReady = false;
            watch.onReady(-1);
        }
    }
}
