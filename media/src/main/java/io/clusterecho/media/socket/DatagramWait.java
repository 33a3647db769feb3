package io.clusterecho.media.socket;

/** Waits for a datagram at the sockets of a media driver; called by the thread that runs the driver. */
@FunctionalInterface
public interface DatagramWait
{
    /**
     * Wait until a datagram is readable; returns at once if one is, and may return early.
     *
     * @param timeoutMs maximum wait; 0 for none.
     * @return whether a datagram was readable when it returned.
     */
    boolean await(int timeoutMs);
}
