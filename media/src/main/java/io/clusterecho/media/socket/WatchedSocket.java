package io.clusterecho.media.socket;

/**
 * Whether to read from a socket. One that was found is read once, and again as long as that pays: only a read shows whether there
 * is a further datagram, and one in vain is a system call too. After it the next {@value #MAX_PATIENCE} finds, or fewer, get one
 * read each.
 */
final class WatchedSocket
{
    /** A socket that is read in each turn, found or not. */
    static final WatchedSocket TRIED = new WatchedSocket(null);

    private static final int MAX_PATIENCE = 15;

    /** Null if it is not watched. */
    private final SocketWatch watch;
    private boolean isReady;
    private boolean isFurther;
    private int patience;
    private int findsToSkip;

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
            isFurther = false;
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
        if (null == watch)
        {
            return;
        }

        if (!isSuccessful)
        {
            if (isFurther)
            {
                patience = Math.min(2 * patience + 1, MAX_PATIENCE);
                findsToSkip = patience;
            }
            forget();
        }
        else if (isFurther)
        {
            patience = 0;
        }
        else if (findsToSkip > 0)
        {
            findsToSkip--;
            forget();
        }
        else
        {
            isFurther = true;
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
