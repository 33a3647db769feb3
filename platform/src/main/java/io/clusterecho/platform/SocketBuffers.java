package io.clusterecho.platform;

import io.clusterecho.host.HostFiles;

/**
 * Socket buffers of a media driver on this machine, and the window that fits into them. A buffer of the kernel's default length
 * is smaller than the default window: while the driver's thread waits for a core, datagrams are lost, requested again, and sent
 * again.
 */
public final class SocketBuffers
{
    /** Requested length of a socket buffer in bytes. */
    public static final int MAX_LENGTH = 4 << 20;

    private static final int DEFAULT_LENGTH = 212_992;
    private static final int MAX_WINDOW_LENGTH = 2 << 20;

    /** Receive buffer of a socket in bytes: at most the kernel's limit, to which a larger request would be cut silently. */
    public static int receiveLength()
    {
        return granted("rmem_max");
    }

    /** Send buffer of a socket in bytes, at most the kernel's limit. */
    public static int sendLength()
    {
        return granted("wmem_max");
    }

    /**
     * Receiver window for a socket buffer of {@link #receiveLength()}, which must have space for a full window in flight and for
     * the kernel's overhead per datagram.
     *
     * @param mtuLength of the receiver's channels in bytes; the minimum of the window.
     * @return in bytes.
     */
    public static int windowLength(final int mtuLength)
    {
        return Math.max(mtuLength, Math.min(MAX_WINDOW_LENGTH, receiveLength() / 2));
    }

    private static int granted(final String limit)
    {
        return HostFiles.ofThisMachine().number("proc/sys/net/core/" + limit)
            .map((length) -> (int)Math.min(MAX_LENGTH, length)).orElse(DEFAULT_LENGTH);
    }
}
