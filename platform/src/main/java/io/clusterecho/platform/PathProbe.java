package io.clusterecho.platform;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;

import com.sun.jna.ptr.IntByReference;

import io.clusterecho.host.CLibrary;

/**
 * Tests by UDP whether datagrams of some length reach a host unfragmented, with the socket options of ip(7) and ipv6(7) that Java
 * 17 does not have. The datagrams go to a port on which nothing listens: the host reports their arrival by ICMP, and a router
 * that cannot forward one reports the MTU of its next link, which the kernel then keeps for the route. Linux only, without root.
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
        ANSWERED, TOO_LONG, SILENT
    }

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
        CLibrary.check();
        return new PathProbe(address, port, headerLength).ask(length);
    }

    private Answer ask(final int length) throws IOException
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

    private int routeMtuLength() throws IOException
    {
        final int socket = open();
        try
        {
            final IntByReference value = new IntByReference();
            CLibrary.call(
                "getsockopt", socket, level(), isIpv6 ? IPV6_MTU : IP_MTU, value, new IntByReference(Integer.BYTES));
            return value.getValue();
        }
        finally
        {
            CLibrary.call("close", socket);
        }
    }

    private Fate send(final int length) throws IOException
    {
        final int socket = open();
        try
        {
            final byte[] buffer = new byte[Math.max(1, length)];
            for (int i = 0; i < ATTEMPTS; i++)
            {
                // Twice, because one may be lost for any reason.
                CLibrary.call("send", socket, buffer, (long)length, 0);
                if (isAnswered(socket))
                {
                    return Fate.ANSWERED;
                }
            }
            return Fate.SILENT;
        }
        catch (final IOException ex)
        {
            return switch (CLibrary.errorOf(ex))
            {
                case ECONNREFUSED -> Fate.ANSWERED;
                case EMSGSIZE -> Fate.TOO_LONG;
                default -> throw ex;
            };
        }
        finally
        {
            CLibrary.call("close", socket);
        }
    }

    /** Whether something listens there after all and answers; that nothing listens is an exception. */
    private static boolean isAnswered(final int socket) throws IOException
    {
        try
        {
            CLibrary.call("recv", socket, new byte[1], 1L, 0);
            return true;
        }
        catch (final IOException ex)
        {
            if (EAGAIN != CLibrary.errorOf(ex))
            {
                throw ex;
            }
            return false;
        }
    }

    private int open() throws IOException
    {
        final int socket = CLibrary.call("socket", isIpv6 ? AF_INET6 : AF_INET, SOCK_DGRAM, 0);
        try
        {
            CLibrary.call(
                "setsockopt", socket, level(), isIpv6 ? IPV6_MTU_DISCOVER : IP_MTU_DISCOVER,
                ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder()).putInt(PMTUDISC_DO).array(), Integer.BYTES);
            CLibrary.call(
                "setsockopt", socket, SOL_SOCKET, SO_RCVTIMEO, ByteBuffer.allocate(2 * Long.BYTES)
                .order(ByteOrder.nativeOrder()).putLong(0).putLong(ANSWER_TIMEOUT_US).array(), 2 * Long.BYTES);
            CLibrary.call("connect", socket, target, target.length);
            return socket;
        }
        catch (final IOException ex)
        {
            CLibrary.call("close", socket);
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
}
