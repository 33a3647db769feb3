package io.clusterecho.platform;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.Optional;

/**
 * Longest datagram that reaches another host in one packet. The MTU of the outgoing network interface is known at once; that of
 * further links is measured by a {@link PathProbe}.
 *
 * @param interfaceMtuLength of the interface, in bytes: the longest packet.
 * @param mtuLength          of the narrowest known link of the path, in bytes; at most that of the interface.
 * @param headerLength       of IP and UDP, in bytes.
 * @param unknown            why nothing is known beyond the interface; empty if the path was measured.
 */
public record PathMtu(String interfaceName, int interfaceMtuLength, int mtuLength, int headerLength, String unknown)
{
    /** Maximum of IPv4: loopback has an MTU of one more. */
    private static final int MAX_PACKET_LENGTH = 65_535;
    private static final int UDP_HEADER_LENGTH = 8;
    private static final int IPV4_HEADER_LENGTH = 20;
    private static final int IPV6_HEADER_LENGTH = 40;
    /** Nothing is sent there: connecting such a socket only looks up the route. */
    private static final int DISCARD_PORT = 9;

    /**
     * Path to a host, measured with datagrams of a length in bytes to a reachable UDP port on which nothing listens there: takes
     * milliseconds if the host answers, and up to 2.4 s if it does not. Sends nothing if the host is this one. Empty if there is
     * no route or the MTU of the interface is unknown.
     */
    public static Optional<PathMtu> to(final String host, final int port, final int length)
    {
        try (DatagramSocket socket = new DatagramSocket())
        {
            final InetAddress address = InetAddress.getByName(host);
            final boolean isHere = address.isLoopbackAddress() || null != NetworkInterface.getByInetAddress(address);
            socket.connect(new InetSocketAddress(address, DISCARD_PORT));
            final NetworkInterface network = NetworkInterface.getByInetAddress(
                isHere ? InetAddress.getLoopbackAddress() : socket.getLocalAddress());
            if (null == network || network.getMTU() <= 0)
            {
                return Optional.empty();
            }
            final PathMtu path = of(network.getName(), network.getMTU(), address);
            return Optional.of(isHere ? path : path.measured(address, port, length));
        }
        catch (final IOException | RuntimeException ex)
        {
            // Sending there will fail with the reason.
            return Optional.empty();
        }
    }

    /** A path that has no narrower link than the interface. */
    static PathMtu of(final String interfaceName, final int mtuLength, final InetAddress address)
    {
        final int headerLength =
            UDP_HEADER_LENGTH + (address instanceof Inet6Address ? IPV6_HEADER_LENGTH : IPV4_HEADER_LENGTH);
        return new PathMtu(interfaceName, mtuLength, mtuLength, headerLength, "");
    }

    PathMtu measured(final InetAddress host, final int port, final int length)
    {
        try
        {
            return new PathProbe(new InetSocketAddress(host, port), headerLength).measure(this, length);
        }
        catch (final IOException ex)
        {
            return with(interfaceMtuLength, String.valueOf(ex.getMessage()));
        }
    }

    /**
     * This path with the MTU of the route as known to the kernel now, in bytes, and whether the host answered the longest
     * datagram that was sent unfragmented, or a short one instead.
     */
    PathMtu answered(
        final int routeMtuLength, final int sentLength, final boolean isAnswered, final boolean isShortAnswered)
    {
        if (routeMtuLength < Math.min(interfaceMtuLength, MAX_PACKET_LENGTH))
        {
            return with(routeMtuLength, "");
        }

        return with(interfaceMtuLength, isAnswered ? "" : isShortAnswered ?
            "it answers a short datagram, but none of " + sentLength + " bytes, which may be lost on the way" :
            "it does not answer");
    }

    private PathMtu with(final int newMtuLength, final String newUnknown)
    {
        return new PathMtu(interfaceName, interfaceMtuLength, newMtuLength, headerLength, newUnknown);
    }

    /** Longest UDP payload that fits into one packet, in bytes. */
    public int datagramLength()
    {
        return mtuLength - headerLength;
    }

    public String link()
    {
        return mtuLength < interfaceMtuLength ?
            "a link on the path has a measured MTU of " + mtuLength + "; " + interfaceName + " has " + interfaceMtuLength :
            interfaceName + " has an MTU of " + interfaceMtuLength;
    }

    /** Warning about datagrams of so many bytes, the value of a key; empty if they fit as far as is known. */
    public Optional<String> warning(final String key, final long length, final String host)
    {
        return length <= datagramLength() ? Optional.empty() : Optional.of(
            key + "=" + length + " is too long for the path to " + host + ": " + link() + "; use at most " + datagramLength() +
            ", because larger datagrams are fragmented, and one lost fragment loses the whole datagram");
    }

    /** Warning if the path was not measured beyond the interface; empty if it was. */
    public Optional<String> gap(final String host)
    {
        return unknown.isEmpty() ? Optional.empty() : Optional.of(
            "the path to " + host + " is known only up to " + interfaceName + ", with an MTU of " + interfaceMtuLength +
            ": " + unknown);
    }
}
