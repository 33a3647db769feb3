package io.clusterecho.platform;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long a datagram may be that goes to another host in one packet. The MTU of the network interface that it leaves by is
 * known at once; what links further on carry is measured, with datagrams that may not be cut. Java has no means for that, so
 * python3 is asked, which hosts have for Ansible anyway; without root.
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
        /** The kernel was told by a router, or by whoever set up the route. */
        TOLD,
        /** Longer datagrams were lost, and shorter ones were not: a link drops them, and no router says so. */
        LOST
    }

    /** Of IPv4: loopback has an MTU of one more. */
    private static final int MAX_PACKET_LENGTH = 65_535;
    private static final int UDP_HEADER_LENGTH = 8;
    private static final int IPV4_HEADER_LENGTH = 20;
    private static final int IPV6_HEADER_LENGTH = 40;
    /** Nothing is sent there: connecting such a socket only asks for the route. */
    private static final int DISCARD_PORT = 9;
    private static final String PROGRAM = "/path_mtu.py";
    private static final Pattern ANSWER = Pattern.compile("([0-9]+) ([0-9]+) (whole|lost|silent)");
    private static final long PROGRAM_TIMEOUT_S = 30;

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
     * Of the way to a host, measured: takes milliseconds where the host answers, a second or two where it does not, and about
     * twenty seconds where long datagrams are lost. Sends nothing if the host is this one.
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
     * This path, with what is found out about it.
     */
    PathMtu measured(final String host, final int port, final int length)
    {
        final Process process;
        try
        {
            process = new ProcessBuilder(List.of(
                "python3", "-I", "-c", program(), InetAddress.getByName(host).getHostAddress(), String.valueOf(port),
                String.valueOf(length))).redirectErrorStream(true).start();
        }
        catch (final IOException ex)
        {
            return unmeasured("there is no python3 here that could ask");
        }

        try
        {
            process.getOutputStream().close();
            // It says a line, or why it failed: that fits into the pipe.
            if (!process.waitFor(PROGRAM_TIMEOUT_S, TimeUnit.SECONDS))
            {
                return unmeasured("no end of asking within " + PROGRAM_TIMEOUT_S + " s");
            }
            return answered(new String(process.getInputStream().readAllBytes(), UTF_8));
        }
        catch (final IOException ex)
        {
            return unmeasured(ex.getMessage());
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return unmeasured("interrupted");
        }
        finally
        {
            process.destroyForcibly();
        }
    }

    /**
     * This path, with what the program said of it.
     */
    PathMtu answered(final String text)
    {
        final Matcher answer = ANSWER.matcher(text.strip());
        if (!answer.matches())
        {
            final String[] lines = text.strip().split("\\R");
            return unmeasured(lines[lines.length - 1]);
        }

        final int routeMtuLength = Integer.parseInt(answer.group(1));
        if ("lost".equals(answer.group(3)))
        {
            return with(Integer.parseInt(answer.group(2)) + headerLength, Source.LOST);
        }
        if (routeMtuLength < Math.min(interfaceMtuLength, MAX_PACKET_LENGTH))
        {
            return with(routeMtuLength, Source.TOLD);
        }

        return "whole".equals(answer.group(3)) ? with(interfaceMtuLength, Source.ARRIVED) : unmeasured("it does not answer");
    }

    private PathMtu with(final int measuredMtuLength, final Source measuredBy)
    {
        return new PathMtu(interfaceName, interfaceMtuLength, measuredMtuLength, headerLength, measuredBy, "");
    }

    private PathMtu unmeasured(final String why)
    {
        return new PathMtu(
            interfaceName, interfaceMtuLength, interfaceMtuLength, headerLength, Source.INTERFACE, why);
    }

    private static String program() throws IOException
    {
        try (InputStream in = PathMtu.class.getResourceAsStream(PROGRAM))
        {
            return new String(in.readAllBytes(), UTF_8);
        }
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
        return switch (source)
        {
            case TOLD -> "a link on the way has an MTU of " + mtuLength + ", as measured; " + interfaceName + " has " +
                interfaceMtuLength;
            case LOST -> "longer datagrams are lost on the way, as measured, though " + interfaceName + " has an MTU of " +
                interfaceMtuLength;
            default -> interfaceName + " has an MTU of " + interfaceMtuLength;
        };
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
            " at most" + (Source.LOST == source ? "" :
            ", longer datagrams are cut into fragments, of which each that is lost costs all of them"));
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
