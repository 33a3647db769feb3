package io.clusterecho.client.transport.udp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

import io.clusterecho.client.load.Idle;

import org.agrona.concurrent.IdleStrategy;

/**
 * The process at the other end of a {@link UdpTransport}: one thread that sends each datagram back unchanged, to its first
 * sender. It ends with its standard input, so that it never outlives the process that started it.
 */
public final class UdpEcho
{
    /** Prefix of the port in its output, once it is ready. */
    static final String READY = "port ";

    private static final int TURNS_PER_CHECK = 64;

    private static volatile boolean isInputOpen = true;

    private UdpEcho()
    {
    }

    /** Echo until the standard input ends; the argument names an {@link Idle} strategy. */
    public static void main(final String[] args) throws IOException
    {
        final IdleStrategy idleStrategy = Idle.valueOf(args[0]).strategy();
        try (DatagramChannel channel = UdpTransport.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
        {
            System.out.println(READY + channel.socket().getLocalPort());
            System.out.flush();
            final Thread watch = new Thread(UdpEcho::awaitEndOfInput, "input-watch");
            watch.setDaemon(true);
            watch.start();
            echo(channel, idleStrategy);
        }
    }

    private static void echo(final DatagramChannel channel, final IdleStrategy idleStrategy) throws IOException
    {
        final ByteBuffer datagram = ByteBuffer.allocateDirect(UdpTransport.MAX_LENGTH);
        while (isInputOpen)
        {
            int workCount = 0;
            while (workCount < TURNS_PER_CHECK && echoOne(channel, datagram))
            {
                workCount++;
            }
            idleStrategy.idle(workCount);
        }
    }

    private static boolean echoOne(final DatagramChannel channel, final ByteBuffer datagram) throws IOException
    {
        datagram.clear();
        try
        {
            if (channel.isConnected())
            {
                if (channel.read(datagram) <= 0)
                {
                    return false;
                }
            }
            else
            {
                final SocketAddress sender = channel.receive(datagram);
                if (null == sender)
                {
                    return false;
                }
                // Connected sockets need no address per datagram, which would cost as much as the rest.
                channel.connect(sender);
            }

            datagram.flip();
            // If the send buffer is full, drop the datagram, as the kernel would.
            channel.write(datagram);
        }
        catch (final PortUnreachableException ex)
        {
            return false;
        }

        return true;
    }

    private static void awaitEndOfInput()
    {
        try
        {
            while (System.in.read() >= 0)
            {
                continue;
            }
        }
        catch (final IOException ex)
        {
            // The parent is gone, for whatever reason.
        }
        isInputOpen = false;
    }
}
