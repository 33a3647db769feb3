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
 * @param interfaceMtuLength of it, in bytes: the longest packet.
 * @param mtuLength          of the narrowest known link of the path, in bytes; at most that of the interface.
 * @param headerLength       of IP and UDP, in bytes.
 * @param unknown            why nothing is known beyond the interface; empty if the path was measured.
 */
public record PathMtu(
    String interfaceName, int interfaceMtuLength, int mtuLength, int headerLength, Source source, String unknown)
{
    /** Source of the MTU of a path. */
    public enum Source
    {
        /** The interface alone. */
        INTERFACE,
        /** A datagram of the requested length, or of the interface's MTU, arrived in one packet. */
        ARRIVED,
        /** The kernel, from a router that could not forward a longer packet, or from the configured route. */
        ROUTE
    }

    /** Maximum of IPv4: loopback has an MTU of one more. */
    private static final int MAX_PACKET_LENGTH = 65_535;
    private static final int UDP_HEADER_LENGTH = 8;
    private static final int IPV4_HEADER_LENGTH = 20;
    private static final int IPV6_HEADER_LENGTH = 40;
    /** Nothing is sent there: connecting such a socket only looks up the route. */
    private static final int DISCARD_PORT = 9;

    /**
     * Path to a host by the interface alone, which takes no time and sends nothing; empty if there is no route or the MTU of the
     * interface is unknown.
     */
    public static Optional<PathMtu> to(final String host)
    {
        try (DatagramSocket socket = new DatagramSocket())
        {
            final InetAddress address = InetAddress.getByName(host);
            final boolean isHere = isHere(address);
            socket.connect(new InetSocketAddress(address, DISCARD_PORT));
            final NetworkInterface network = NetworkInterface.getByInetAddress(
                isHere ? InetAddress.getLoopbackAddress() : socket.getLocalAddress());
            return null == network || network.getMTU() <= 0 ? Optional.empty() : Optional.of(of(
                network.getName(), network.getMTU(), address, isHere ? Source.ARRIVED : Source.INTERFACE,
                isHere ? "" : "not measured"));
        }
        catch (final IOException | RuntimeException ex)
        {
            // Sending there will fail with the reason.
            return Optional.empty();
        }
    }

    /**
     * Path to a host, measured: takes milliseconds if the host answers, and up to 2.4 s if it does not.
     * Sends nothing if the host is this one.
     *
     * @param host   name or address.
     * @param port   UDP port on which nothing listens there, and which is reachable.
     * @param length of the datagrams to send, in bytes.
     * @return the path, or empty if there is no route or the MTU of the interface is unknown.
     */
    public static Optional<PathMtu> to(final String host, final int port, final int length)
    {
        return to(host).map((path) -> Source.INTERFACE == path.source ? path.measured(host, port, length) : path);
    }

    static PathMtu of(
        final String interfaceName, final int mtuLength, final InetAddress address, final Source source, final String unknown)
    {
        final int headerLength =
            UDP_HEADER_LENGTH + (address instanceof Inet6Address ? IPV6_HEADER_LENGTH : IPV4_HEADER_LENGTH);
        return new PathMtu(interfaceName, mtuLength, mtuLength, headerLength, source, unknown);
    }

    private static boolean isHere(final InetAddress address) throws IOException
    {
        return address.isLoopbackAddress() || null != NetworkInterface.getByInetAddress(address);
    }

    /** This path with the result of a probe. */
    PathMtu measured(final String host, final int port, final int length)
    {
        try
        {
            return answered(PathProbe.ask(InetAddress.getByName(host), port, length, headerLength));
        }
        catch (final IOException ex)
        {
            return with(interfaceMtuLength, Source.INTERFACE, ex.getMessage());
        }
    }

    PathMtu answered(final PathProbe.Answer answer)
    {
        if (answer.routeMtuLength() < Math.min(interfaceMtuLength, MAX_PACKET_LENGTH))
        {
            return with(answer.routeMtuLength(), Source.ROUTE, "");
        }
        if (answer.isAnswered())
        {
            return with(interfaceMtuLength, Source.ARRIVED, "");
        }

        return with(interfaceMtuLength, Source.INTERFACE, answer.isShortAnswered() ?
            "it answers a short datagram, but none of " + answer.sentLength() + " bytes, which may be lost on the way" :
            "it does not answer");
    }

    private PathMtu with(final int newMtuLength, final Source newSource, final String newUnknown)
    {
        return new PathMtu(interfaceName, interfaceMtuLength, newMtuLength, headerLength, newSource, newUnknown);
    }

    /** Longest UDP payload that fits into one packet, in bytes. */
    public int datagramLength()
    {
        return mtuLength - headerLength;
    }

    /** Whether the path was measured beyond the interface. */
    public boolean isMeasured()
    {
        return Source.INTERFACE != source;
    }

    /** The narrowest known link, as text. */
    public String link()
    {
        return Source.ROUTE == source ?
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
        return isMeasured() ? Optional.empty() : Optional.of(
            "the path to " + host + " is known only up to " + interfaceName + ", with an MTU of " + interfaceMtuLength +
            ": " + unknown);
    }
}
