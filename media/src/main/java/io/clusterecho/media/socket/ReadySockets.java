package io.clusterecho.media.socket;

import static org.agrona.nio.TransportPoller.ITERATION_THRESHOLD_PROP_NAME;

/**
 * Has a Java media driver ask the system which of its sockets have something to read, where it has more than one of a kind,
 * instead of trying all of them in each turn. For drivers that share their cores: most of what a turn tries is empty, and each
 * try is a system call. On a core of its own a driver finds a datagram sooner by trying.
 */
public final class ReadySockets
{
    /** Up to which number of sockets all are tried. */
    private static final String THRESHOLD = "1";

    private ReadySockets()
    {
    }

    /**
     * Set it for this process, unless the user has. To be called before the first driver is launched.
     */
    public static void prefer()
    {
        if (null == System.getProperty(ITERATION_THRESHOLD_PROP_NAME))
        {
            System.setProperty(ITERATION_THRESHOLD_PROP_NAME, THRESHOLD);
        }
    }
}
