package io.clusterecho.media.socket;

/**
 * Whether to read from a socket: once it was found, until a read finds nothing. A socket that recently had several datagrams is
 * busy, and read again within the round; any other is read once in a round, so that the read that finds nothing does not delay
 * what was received.
 */
final class WatchedSocket
{
    /** A socket that is read in each turn, found or not. */
    static final WatchedSocket TRIED = new WatchedSocket(null);

    /** Finds with one datagram each, after which a socket is no longer busy. */
    static final int BUSY_COUNT = 8;

    /** Null if it is not watched. */
    private final SocketWatch watch;
    private boolean isReady;
    /** Datagrams read since it was found. */
    private int readCount;
    /** Finds with one datagram each that remain until it is not busy. */
    private int busyCount;

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
            readCount = 0;
            watch.onReady(1);
            if (busyCount > 0)
            {
                watch.onBusy(1);
            }
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
        if (!isReady)
        {
            return;
        }
        if (isSuccessful)
        {
            if (++readCount > 1)
            {
                busy(BUSY_COUNT);
            }
        }
        else
        {
            if (1 == readCount && busyCount > 0)
            {
                busy(busyCount - 1);
            }
            forget();
        }
    }

    private void busy(final int count)
    {
        if (count > 0 != busyCount > 0)
        {
            watch.onBusy(count > 0 ? 1 : -1);
        }
        busyCount = count;
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
            if (busyCount > 0)
            {
                watch.onBusy(-1);
            }
        }
    }
}
