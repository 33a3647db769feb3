package io.clusterecho.client.transport.udp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.schema.codecs.EchoRequestDecoder;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One datagram per message over loopback, to a {@link UdpEcho} that sends it back unchanged. Datagrams dropped by the kernel
 * are lost: nothing is sent again.
 */
public final class UdpTransport implements Transport
{
    /** Maximum message length in bytes: the payload of an IPv4 datagram. */
    public static final int MAX_LENGTH = 65_507;

    static final int SOCKET_BUFFER_LENGTH_BYTES = 2 << 20;

    private final int port;
    private final NanoClock clock;
    private final ByteBuffer outgoing;
    private final ByteBuffer incoming;
    private final UnsafeBuffer received;
    private DatagramChannel channel;

    /** A session that is not open, for messages of at most {@link #MAX_LENGTH} bytes. */
    public UdpTransport(final int port, final int maxLengthBytes, final NanoClock clock)
    {
        this.port = port;
        this.clock = clock;
        outgoing = ByteBuffer.allocateDirect(maxLengthBytes);
        // One byte more, so that a reply that is too long is detected.
        incoming = ByteBuffer.allocateDirect(maxLengthBytes + 1);
        received = new UnsafeBuffer(incoming);
    }

    @Override
    public void connect(final long timeoutNs)
    {
        try
        {
            channel = open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }
        catch (final IOException ex)
        {
            CloseHelper.quietClose(channel);
            throw new NotConnectedException("cannot open a socket to UDP port " + port + ": " + ex.getMessage(), ex);
        }
    }

    @Override
    public SendResult trySend(final DirectBuffer message, final int offset, final int length)
    {
        outgoing.clear();
        message.getBytes(offset, outgoing, length);
        outgoing.flip();
        try
        {
            return 0 == channel.write(outgoing) ? SendResult.BACK_PRESSURED : SendResult.SENT;
        }
        catch (final PortUnreachableException ex)
        {
            return SendResult.DISCONNECTED;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @Override
    public int poll(final ResponseHandler handler, final int limit)
    {
        int count = 0;
        try
        {
            while (count < limit && channel.read(incoming.clear()) > 0)
            {
                handler.onResponse(received, 0, incoming.position(), clock.nanoTime());
                count++;
            }
        }
        catch (final PortUnreachableException ex)
        {
            // The echo is gone: messages stay unanswered, which the accounts show.
            return count;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }

        return count;
    }

    @Override
    public int replyTemplateId()
    {
        return EchoRequestDecoder.TEMPLATE_ID;
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(channel);
    }

    /** A non-blocking socket with the largest buffers that the system allows. */
    static DatagramChannel open(final InetSocketAddress address) throws IOException
    {
        final DatagramChannel opened = DatagramChannel.open();
        opened.configureBlocking(false);
        opened.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_LENGTH_BYTES);
        opened.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER_LENGTH_BYTES);
        return opened.bind(address);
    }
}
