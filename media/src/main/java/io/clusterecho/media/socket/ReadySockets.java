package io.clusterecho.media.socket;

import static org.agrona.nio.TransportPoller.ITERATION_THRESHOLD_PROP_NAME;

/**
 * Makes a Java media driver with more than one socket of a kind ask the system which of them are readable, instead of trying all
 * in each turn. For drivers that share their cores: most sockets are empty, and each attempt is a system call. A driver with a
 * dedicated core finds a datagram sooner by trying.
 */
public final class ReadySockets
{
    /** Up to this number of sockets all are tried. */
    private static final String THRESHOLD = "1";

    private ReadySockets()
    {
    }

    /**
     * Set it for this process, unless the user has set it. Call it before the first driver is launched.
     */
    public static void prefer()
    {
        if (null == System.getProperty(ITERATION_THRESHOLD_PROP_NAME))
        {
            System.setProperty(ITERATION_THRESHOLD_PROP_NAME, THRESHOLD);
        }
    }
}
