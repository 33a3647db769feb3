package io.clusterecho.platform;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.ptr.IntByReference;

/**
 * Tests by UDP whether datagrams of some length reach a host unfragmented, with the socket options of ip(7) and ipv6(7) that Java
 * 17 does not have. The datagrams go to a port on which nothing listens: the host reports their arrival by ICMP, and a router
 * that cannot forward one reports the MTU of its next link, which the kernel then keeps for the route. Linux only, without
 * root.
 */
final class PathProbe
{
    /**
     * Result of a probe.
     *
     * @param routeMtuLength  of the route as known to the kernel now, in bytes.
     * @param sentLength      of the longest datagram that was sent unfragmented, in bytes.
     * @param isAnswered      whether the host answered it.
     * @param isShortAnswered whether it answered a short one instead.
     */
    record Answer(int routeMtuLength, int sentLength, boolean isAnswered, boolean isShortAnswered)
    {
    }

    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int SOCK_DGRAM = 2;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    private static final int IPPROTO_IP = 0;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IP_MTU_DISCOVER = 10;
    private static final int IP_MTU = 14;
    private static final int IPV6_MTU_DISCOVER = 23;
    private static final int IPV6_MTU = 24;
    /** Fragmented neither here nor on the path; what exceeds the route's MTU is rejected here. */
    private static final int PMTUDISC_DO = 2;
    private static final int EMSGSIZE = 90;
    private static final int ECONNREFUSED = 111;
    private static final int EAGAIN = 11;

    private static final int SHORT_LENGTH = 64;
    private static final int ATTEMPTS = 2;
    private static final long ANSWER_TIMEOUT_US = TimeUnit.MILLISECONDS.toMicros(600);

    private enum Fate
    {
        ANSWERED,
        TOO_LONG,
        SILENT
    }

    private final CLibrary library = Native.load("c", CLibrary.class);
    private final boolean isIpv6;
    private final byte[] target;
    private final int headerLength;

    private PathProbe(final InetAddress address, final int port, final int headerLength)
    {
        isIpv6 = address instanceof Inet6Address;
        target = socketAddress(address, port);
        this.headerLength = headerLength;
    }

    /**
     * Probe a host.
     *
     * @param port         UDP port on which nothing listens there.
     * @param length       of the datagrams to send, in bytes.
     * @param headerLength of IP and UDP, in bytes.
     * @return the result; after up to 2.4 s if there is no answer.
     * @throws IOException with the reason if nothing could be sent.
     */
    static Answer ask(final InetAddress address, final int port, final int length, final int headerLength) throws IOException
    {
        if (!"Linux".equals(System.getProperty("os.name")))
        {
            throw new IOException(System.getProperty("os.name") + " is not Linux");
        }
        try
        {
            return new PathProbe(address, port, headerLength).ask(length);
        }
        catch (final LastErrorException ex)
        {
            throw new IOException(ex.getMessage(), ex);
        }
        catch (final LinkageError ex)
        {
            throw new IOException("cannot call the C library: " + ex.getMessage(), ex);
        }
    }

    private Answer ask(final int length)
    {
        int mtuLength = routeMtuLength();
        int sentLength = Math.min(length, mtuLength - headerLength);
        Fate fate = send(sentLength);
        while (Fate.TOO_LONG == fate && sentLength > SHORT_LENGTH)
        {
            // A router reported the MTU of its next link. One that reports nothing new must not cause an endless loop.
            mtuLength = routeMtuLength();
            sentLength = Math.max(SHORT_LENGTH, Math.min(sentLength - 1, mtuLength - headerLength));
            fate = send(sentLength);
        }

        final boolean isAnswered = Fate.ANSWERED == fate;
        return new Answer(mtuLength, sentLength, isAnswered, !isAnswered && Fate.ANSWERED == send(SHORT_LENGTH));
    }

    private int routeMtuLength()
    {
        final int socket = open();
        try
        {
            final IntByReference value = new IntByReference();
            library.getsockopt(
                socket, level(), isIpv6 ? IPV6_MTU : IP_MTU, value, new IntByReference(Integer.BYTES));
            return value.getValue();
        }
        finally
        {
            library.close(socket);
        }
    }

    private Fate send(final int length)
    {
        final int socket = open();
        try
        {
            final byte[] buffer = new byte[Math.max(1, length)];
            for (int i = 0; i < ATTEMPTS; i++)
            {
                // Twice, because one may be lost for any reason.
                library.send(socket, buffer, length, 0);
                if (isAnswered(socket))
                {
                    return Fate.ANSWERED;
                }
            }
            return Fate.SILENT;
        }
        catch (final LastErrorException ex)
        {
            return switch (ex.getErrorCode())
            {
                case ECONNREFUSED -> Fate.ANSWERED;
                case EMSGSIZE -> Fate.TOO_LONG;
                default -> throw ex;
            };
        }
        finally
        {
            library.close(socket);
        }
    }

    /** Whether something listens there after all and answers; that nothing listens is an exception. */
    private boolean isAnswered(final int socket)
    {
        try
        {
            library.recv(socket, new byte[1], 1, 0);
            return true;
        }
        catch (final LastErrorException ex)
        {
            if (EAGAIN != ex.getErrorCode())
            {
                throw ex;
            }
            return false;
        }
    }

    private int open()
    {
        final int socket = library.socket(isIpv6 ? AF_INET6 : AF_INET, SOCK_DGRAM, 0);
        try
        {
            library.setsockopt(
                socket, level(), isIpv6 ? IPV6_MTU_DISCOVER : IP_MTU_DISCOVER,
                ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder()).putInt(PMTUDISC_DO).array(), Integer.BYTES);
            library.setsockopt(
                socket, SOL_SOCKET, SO_RCVTIMEO, ByteBuffer.allocate(2 * Long.BYTES).order(ByteOrder.nativeOrder())
                .putLong(0).putLong(ANSWER_TIMEOUT_US).array(), 2 * Long.BYTES);
            library.connect(socket, target, target.length);
            return socket;
        }
        catch (final LastErrorException ex)
        {
            library.close(socket);
            throw ex;
        }
    }

    private int level()
    {
        return isIpv6 ? IPPROTO_IPV6 : IPPROTO_IP;
    }

    /**
     * <pre>
     *   sockaddr_in    family (2, native) | port (2, network) | address (4)  | zeros (8)
     *   sockaddr_in6   family (2, native) | port (2, network) | flow (4)     | address (16) | scope (4, native)
     * </pre>
     */
    private static byte[] socketAddress(final InetAddress address, final int port)
    {
        final boolean isIpv6 = address instanceof Inet6Address;
        final ByteBuffer bytes = ByteBuffer.allocate(isIpv6 ? 28 : 16).order(ByteOrder.nativeOrder());
        bytes.putShort((short)(isIpv6 ? AF_INET6 : AF_INET));
        bytes.order(ByteOrder.BIG_ENDIAN).putShort((short)port);
        if (isIpv6)
        {
            bytes.putInt(0).put(address.getAddress()).order(ByteOrder.nativeOrder())
                .putInt(((Inet6Address)address).getScopeId());
        }
        else
        {
            bytes.put(address.getAddress());
        }
        return bytes.array();
    }

    /**
     * The functions used of the C library. Lengths are {@code size_t}, a {@code long} on the platforms that JNA is packaged for.
     */
    interface CLibrary extends Library
    {
        int socket(int domain, int type, int protocol) throws LastErrorException;

        int setsockopt(int socket, int level, int option, byte[] value, int length) throws LastErrorException;

        int getsockopt(int socket, int level, int option, IntByReference value, IntByReference length)
            throws LastErrorException;

        int connect(int socket, byte[] address, int length) throws LastErrorException;

        long send(int socket, byte[] buffer, long length, int flags) throws LastErrorException;

        long recv(int socket, byte[] buffer, long length, int flags) throws LastErrorException;

        int close(int socket);
    }
}
