package io.clusterecho.platform;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.Optional;

/**
 * How long a datagram may be that goes to another host in one packet. The MTU of the network interface that it leaves by is
 * known at once; what links further on carry is measured by a {@link PathProbe}.
 *
 * @param interfaceName      of the network interface.
 * @param interfaceMtuLength of it, in bytes: the longest packet.
 * @param mtuLength          of the narrowest link of the path, in bytes, as far as it is known; the interface's at most.
 * @param headerLength       of IP and UDP, in bytes.
 * @param source             how the length is known.
 * @param unknown            why nothing is known beyond the interface; empty if it is.
 */
public record PathMtu(
    String interfaceName, int interfaceMtuLength, int mtuLength, int headerLength, Source source, String unknown)
{
    /**
     * How the MTU of a path is known.
     */
    public enum Source
    {
        /** Of the interface alone. */
        INTERFACE,
        /** A datagram arrived in one packet, as long as was asked for or as the interface carries. */
        ARRIVED,
        /** Known to the kernel, by a router that could not forward a longer packet or by whoever set up the route. */
        ROUTE
    }

    /** Of IPv4: loopback has an MTU of one more. */
    private static final int MAX_PACKET_LENGTH = 65_535;
    private static final int UDP_HEADER_LENGTH = 8;
    private static final int IPV4_HEADER_LENGTH = 20;
    private static final int IPV6_HEADER_LENGTH = 40;
    /** Nothing is sent there: connecting such a socket only asks for the route. */
    private static final int DISCARD_PORT = 9;

    /**
     * Of the way to a host, by the interface alone. Takes no time, and sends nothing.
     *
     * @param host name or address.
     * @return what is known, or empty if there is no route or the interface does not tell.
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
                isHere ? "" : "not asked for"));
        }
        catch (final IOException | RuntimeException ex)
        {
            // Whoever wants to send there will be told why that is not possible.
            return Optional.empty();
        }
    }

    /**
     * Of the way to a host, measured: takes milliseconds where the host answers, and up to 2.4 s where it does not.
     * Sends nothing if the host is this one.
     *
     * @param host   name or address.
     * @param port   of UDP at which nobody listens there, and to which datagrams get through.
     * @param length of datagrams that somebody wants to send, in bytes.
     * @return what is known, or empty if there is no route or the interface does not tell.
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

    /**
     * This path, with what a probe found out about it.
     */
    PathMtu measured(final String host, final int port, final int length)
    {
        try
        {
            return answered(PathProbe.ask(InetAddress.getByName(host), port, length, headerLength));
        }
        catch (final IOException ex)
        {
            return unmeasured(ex.getMessage());
        }
    }

    PathMtu answered(final PathProbe.Answer answer)
    {
        if (answer.routeMtuLength() < Math.min(interfaceMtuLength, MAX_PACKET_LENGTH))
        {
            return new PathMtu(
                interfaceName, interfaceMtuLength, answer.routeMtuLength(), headerLength, Source.ROUTE, "");
        }
        if (answer.isAnswered())
        {
            return new PathMtu(interfaceName, interfaceMtuLength, interfaceMtuLength, headerLength, Source.ARRIVED, "");
        }

        return unmeasured(answer.isShortAnswered() ?
            "it answers a short datagram and none of " + answer.sentLength() + " bytes, which may be lost on the way" :
            "it does not answer");
    }

    private PathMtu unmeasured(final String why)
    {
        return new PathMtu(
            interfaceName, interfaceMtuLength, interfaceMtuLength, headerLength, Source.INTERFACE, why);
    }

    /**
     * The longest payload of UDP that fits into one packet.
     *
     * @return in bytes.
     */
    public int datagramLength()
    {
        return mtuLength - headerLength;
    }

    /**
     * Whether more than the interface is known.
     *
     * @return true if the path was measured.
     */
    public boolean isMeasured()
    {
        return Source.INTERFACE != source;
    }

    /**
     * Which link is the narrowest, in words.
     *
     * @return the link and its MTU.
     */
    public String link()
    {
        return Source.ROUTE == source ?
            "a link on the way has an MTU of " + mtuLength + ", as measured; " + interfaceName + " has " + interfaceMtuLength :
            interfaceName + " has an MTU of " + interfaceMtuLength;
    }

    /**
     * What to say to somebody who wants to send datagrams of some length.
     *
     * @param key    that sets the length, named in the text.
     * @param length in bytes.
     * @param host   that they go to.
     * @return a warning, or empty if they fit as far as that is known.
     */
    public Optional<String> warning(final String key, final long length, final String host)
    {
        return length <= datagramLength() ? Optional.empty() : Optional.of(
            key + "=" + length + " is above what the path to " + host + " carries: " + link() + "; so " + datagramLength() +
            " at most, longer datagrams are cut into fragments, of which each that is lost costs all of them");
    }

    /**
     * What to say where datagrams fit into the first link, and nobody knows about the others.
     *
     * @param host that they go to.
     * @return a line, or empty if the path was measured.
     */
    public Optional<String> gap(final String host)
    {
        return isMeasured() ? Optional.empty() : Optional.of(
            "the path to " + host + " is known as far as " + interfaceName + ", with an MTU of " + interfaceMtuLength +
            ", and not beyond: " + unknown);
    }
}
