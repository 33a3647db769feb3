package io.clusterecho.platform;

import io.clusterecho.host.HostFiles;

/**
 * How long the socket buffers of a media driver may be on this machine, and which window fits into them. A socket that is left
 * at the kernel's default holds less than the default window of a driver whose thread waits for its core: what arrives in
 * the meantime is lost, asked for again, and sent again by the window.
 */
public final class SocketBuffers
{
    /**
     * Length that a socket is given where the kernel grants it, in bytes.
     */
    public static final int MAX_LENGTH = 4 << 20;

    private static final int DEFAULT_LENGTH = 212_992;
    private static final int MAX_WINDOW_LENGTH = 2 << 20;

    private SocketBuffers()
    {
    }

    /**
     * Receive buffer of a socket.
     *
     * @return in bytes, at most as much as the kernel grants: a request beyond its limit is cut in silence.
     */
    public static int receiveLength()
    {
        return granted("rmem_max");
    }

    /**
     * Send buffer of a socket.
     *
     * @return in bytes, at most as much as the kernel grants.
     */
    public static int sendLength()
    {
        return granted("wmem_max");
    }

    /**
     * Window of a receiver whose socket has a buffer of {@link #receiveLength()}: what may be under way must fit into it, with
     * what the kernel adds to each datagram.
     *
     * @param mtuLength of the receiver's channels in bytes; the window is no shorter.
     * @return in bytes.
     */
    public static int windowLength(final int mtuLength)
    {
        return windowLength(mtuLength, receiveLength());
    }

    /**
     * The same for a buffer of some length.
     *
     * @param mtuLength     as above.
     * @param receiveLength of the buffer in bytes.
     * @return in bytes.
     */
    public static int windowLength(final int mtuLength, final int receiveLength)
    {
        return Math.max(mtuLength, Math.min(MAX_WINDOW_LENGTH, receiveLength / 2));
    }

    private static int granted(final String limit)
    {
        return HostFiles.ofThisMachine().number("proc/sys/net/core/" + limit)
            .map((length) -> (int)Math.min(MAX_LENGTH, length)).orElse(DEFAULT_LENGTH);
    }
}
