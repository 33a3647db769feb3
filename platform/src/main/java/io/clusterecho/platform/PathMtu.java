package io.clusterecho.platform;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.Optional;

/**
 * How long a datagram may be that goes to another host in one packet, as far as this host knows: by the MTU of the network
 * interface that it leaves by. A link further on may carry less, which a process without root cannot ask for in Java 17.
 *
 * @param interfaceName  of the network interface.
 * @param mtuLength      of it, in bytes: the longest packet.
 * @param datagramLength in bytes: the longest payload of UDP in such a packet.
 */
public record PathMtu(String interfaceName, int mtuLength, int datagramLength)
{
    private static final int UDP_HEADER_LENGTH = 8;
    private static final int IPV4_HEADER_LENGTH = 20;
    private static final int IPV6_HEADER_LENGTH = 40;
    /** Nothing is sent there: connecting such a socket only asks for the route. */
    private static final int DISCARD_PORT = 9;

    /**
     * Of the way to a host.
     *
     * @param host name or address.
     * @return what is known, or empty if there is no route or the interface does not tell.
     */
    public static Optional<PathMtu> to(final String host)
    {
        try (DatagramSocket socket = new DatagramSocket())
        {
            final InetAddress address = InetAddress.getByName(host);
            socket.connect(new InetSocketAddress(address, DISCARD_PORT));
            final NetworkInterface network = address.isLoopbackAddress() ?
                NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()) :
                NetworkInterface.getByInetAddress(socket.getLocalAddress());
            return null == network || network.getMTU() <= 0 ? Optional.empty() :
                Optional.of(of(network.getName(), network.getMTU(), address));
        }
        catch (final IOException | RuntimeException ex)
        {
            // Whoever wants to send there will be told why that is not possible.
            return Optional.empty();
        }
    }

    static PathMtu of(final String interfaceName, final int mtuLength, final InetAddress address)
    {
        final int headerLength =
            UDP_HEADER_LENGTH + (address instanceof Inet6Address ? IPV6_HEADER_LENGTH : IPV4_HEADER_LENGTH);
        return new PathMtu(interfaceName, mtuLength, mtuLength - headerLength);
    }

    /**
     * What to say to somebody who wants to send datagrams of some length.
     *
     * @param key    that sets the length, named in the text.
     * @param length in bytes.
     * @param host   that they go to.
     * @return a warning, or empty if they fit.
     */
    public Optional<String> warning(final String key, final long length, final String host)
    {
        return length <= datagramLength ? Optional.empty() : Optional.of(
            key + "=" + length + " is above what the path to " + host + " carries: " + interfaceName + " has an MTU of " +
            mtuLength + ", so " + datagramLength + " at most; longer datagrams are cut into fragments, of which each that is " +
            "lost costs all of them");
    }
}
