package io.clusterecho.media.socket;

/** Waits for a datagram at the sockets of a media driver; called by the thread that runs the driver. */
@FunctionalInterface
public interface DatagramWait
{
    /** Wait for at most a time, 0 for none, until a datagram is readable; may return early. Returns whether one was readable. */
    boolean await(int timeoutMs);
}
