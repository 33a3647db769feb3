package io.clusterecho.media.link;

/**
 * Whether to read from a socket: once it was found, until a read finds nothing. It is busy once two datagrams were read before
 * that, and until one alone was read several times. Only a busy one gets further turns of the driver in a round: for others the
 * read that finds nothing would delay what was received.
 */
final class WatchedSocket
{
    /** A socket that is read in each turn, found or not. */
    static final WatchedSocket TRIED = new WatchedSocket(null);

    /** How often one datagram alone is read before a socket is no longer busy. */
    static final int BUSY_COUNT = 8;

    private final SocketWatch watch;
    private boolean isReady;
    /** Datagrams read since it was found. */
    private int readCount;
    /** How often that remains to happen; 0 if it is not busy. */
    private int busyCount;

    WatchedSocket(final SocketWatch watch)
    {
        this.watch = watch;
    }

    /** It has at least one datagram. */
    void onFound()
    {
        if (null != watch && !isReady)
        {
            isReady = true;
            readCount = 0;
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

    /** It is read no more until it is found again. */
    void forget()
    {
        if (null != watch && isReady)
        {
            isReady = false;
            if (busyCount > 0)
            {
                watch.onBusy(-1);
            }
        }
    }
}
