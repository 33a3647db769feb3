package io.clusterecho.peers;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;

/** One address of a server: a name or an address, and a port from 1 to 65535. */
public record Endpoint(String host, int port)
{
    private static final String ALLOWED = "HOST:PORT with a port from 1 to 65535, for instance " + Peer.DEFAULT_ENDPOINT;

    /** Parse an endpoint such as {@code 127.0.0.1:21000}, or null for the default. */
    public static Endpoint parse(final String text)
    {
        final String given = null == text ? Peer.DEFAULT_ENDPOINT : text;
        final int colon = given.lastIndexOf(':');
        final String digits = given.substring(colon + 1);
        final int port = digits.matches("[0-9]{1,5}") ? Integer.parseInt(digits) : 0;
        InvalidSettingException.throwIf(
            colon < 1 || given.indexOf(',') >= 0 || port < 1 || port > 65535, "--endpoints", given, ALLOWED);

        return new Endpoint(given.substring(0, colon), port);
    }

    public InetSocketAddress address()
    {
        return new InetSocketAddress(host, port);
    }

    /** Check that the port is free, because some libraries report that late or unclearly. */
    public void requireFreeTcpPort()
    {
        Io.run(this::taken, () ->
        {
            try (ServerSocket socket = new ServerSocket())
            {
                // Connections in TIME_WAIT of an earlier server do not matter.
                socket.setReuseAddress(true);
                socket.bind(address());
            }
        });
    }

    public void requireFreeUdpPort()
    {
        Io.run(this::taken, () ->
        {
            try (DatagramSocket socket = new DatagramSocket(null))
            {
                socket.setReuseAddress(false);
                socket.bind(address());
            }
        });
    }

    @Override
    public String toString()
    {
        return host + ":" + port;
    }

    private InvalidSettingException taken(final IOException ex)
    {
        return new InvalidSettingException("--endpoints", this, "an address of this machine with a free port (" + ex + ")");
    }
}
