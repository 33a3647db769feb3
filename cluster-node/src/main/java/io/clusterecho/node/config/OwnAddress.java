package io.clusterecho.node.config;

import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.stream.Stream;

import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;

/** Addresses of this machine, such as the one to which a member sends its replies. */
public final class OwnAddress
{
    /**
     * The address that this machine sends from to an endpoint (host:port, IPv6 addresses in brackets), by its routes. Sends
     * nothing. Rejects hosts that do not resolve, or that no route leads to.
     */
    public static String towards(final String endpoint)
    {
        final int colon = endpoint.lastIndexOf(':');
        final InetSocketAddress remote =
            new InetSocketAddress(endpoint.substring(0, colon), Integer.parseInt(endpoint.substring(colon + 1)));
        InvalidSettingException.throwIf(remote.isUnresolved(), "endpoint", endpoint, "a host name that resolves, and a port");

        try (DatagramSocket socket = new DatagramSocket())
        {
            socket.connect(remote);
            final InetAddress address = socket.getLocalAddress();
            return address instanceof Inet6Address ? "[" + address.getHostAddress() + "]" : address.getHostAddress();
        }
        catch (final SocketException | UncheckedIOException ex)
        {
            throw new InvalidSettingException(
                "endpoint", endpoint + " (" + ex.getMessage() + ")", "an address with a route to it");
        }
    }

    /** Whether a host name or address is one of this machine; false also for a name that does not resolve. */
    public static boolean isOwn(final String host)
    {
        return Io.orElse(false, () -> Stream.of(InetAddress.getAllByName(host)).allMatch((address) ->
            address.isLoopbackAddress() || Io.orElse(null, () -> NetworkInterface.getByInetAddress(address)) != null));
    }
}
