package io.clusterecho.platform;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

import com.sun.jna.ptr.IntByReference;

import io.clusterecho.host.CLibrary;

/**
 * Tests by UDP whether datagrams of some length reach a host unfragmented, with the socket options of ip(7) and ipv6(7) that Java
 * 17 does not have. The datagrams go to a port on which nothing listens: the host reports their arrival by ICMP, and a router
 * that cannot forward one reports the MTU of its next link, which the kernel then keeps for the route. Linux only, without root.
 */
final class PathProbe
{
    private static final int IPPROTO_IP = 0;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IP_MTU_DISCOVER = 10;
    private static final int IP_MTU = 14;
    private static final int IPV6_MTU_DISCOVER = 23;
    private static final int IPV6_MTU = 24;
    /** Fragmented neither here nor on the path; what exceeds the route's MTU is rejected here. */
    private static final int PMTUDISC_DO = 2;

    private static final int SHORT_LENGTH = 64;
    private static final int ATTEMPTS = 2;
    private static final int ANSWER_TIMEOUT_MS = 600;

    private enum Fate
    {
        ANSWERED, TOO_LONG, SILENT
    }

    private final InetSocketAddress target;
    private final boolean isIpv6;
    private final int headerLength;

    /** A probe of a UDP port on which nothing listens, with the length of the headers of IP and UDP in bytes. */
    PathProbe(final InetSocketAddress target, final int headerLength)
    {
        this.target = target;
        this.headerLength = headerLength;
        isIpv6 = target.getAddress() instanceof Inet6Address;
    }

    /**
     * Send datagrams of a length in bytes, and return a path with what is then known of it; takes up to 2.4 s if there is no
     * answer. An {@link IOException} has the reason if nothing could be sent.
     */
    PathMtu measure(final PathMtu path, final int length) throws IOException
    {
        CLibrary.check();
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
        return path.answered(mtuLength, sentLength, isAnswered, !isAnswered && Fate.ANSWERED == send(SHORT_LENGTH));
    }

    private int routeMtuLength() throws IOException
    {
        try (DatagramChannel channel = open())
        {
            final IntByReference value = new IntByReference();
            CLibrary.call(
                "getsockopt", CLibrary.descriptorOf(channel), isIpv6 ? IPPROTO_IPV6 : IPPROTO_IP, isIpv6 ? IPV6_MTU : IP_MTU,
                value, new IntByReference(Integer.BYTES));
            return value.getValue();
        }
    }

    private Fate send(final int length) throws IOException
    {
        try (DatagramChannel channel = open())
        {
            channel.socket().setSoTimeout(ANSWER_TIMEOUT_MS);
            for (int i = 0; i < ATTEMPTS; i++)
            {
                // Twice, because one may be lost for any reason.
                channel.write(ByteBuffer.allocate(length));
                if (isAnswered(channel))
                {
                    return Fate.ANSWERED;
                }
            }
            return Fate.SILENT;
        }
        catch (final PortUnreachableException ex)
        {
            return Fate.ANSWERED;
        }
        catch (final IOException ex)
        {
            if (length + headerLength <= routeMtuLength())
            {
                throw ex;
            }
            return Fate.TOO_LONG;
        }
    }

    /** Whether something listens there after all and answers; that nothing listens is an exception. */
    private static boolean isAnswered(final DatagramChannel channel) throws IOException
    {
        try
        {
            channel.socket().receive(new DatagramPacket(new byte[1], 1));
            return true;
        }
        catch (final SocketTimeoutException ex)
        {
            return false;
        }
    }

    private DatagramChannel open() throws IOException
    {
        final DatagramChannel channel =
            DatagramChannel.open(isIpv6 ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET);
        try
        {
            CLibrary.call(
                "setsockopt", CLibrary.descriptorOf(channel), isIpv6 ? IPPROTO_IPV6 : IPPROTO_IP,
                isIpv6 ? IPV6_MTU_DISCOVER : IP_MTU_DISCOVER, new IntByReference(PMTUDISC_DO), Integer.BYTES);
            return channel.connect(target);
        }
        catch (final IOException ex)
        {
            channel.close();
            throw ex;
        }
    }
}
