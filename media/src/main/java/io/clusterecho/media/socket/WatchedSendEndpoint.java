package io.clusterecho.media.socket;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;

import org.agrona.concurrent.status.AtomicCounter;

/** Send endpoint that registers its sockets with a watch: status messages and NAKs arrive there. */
public class WatchedSendEndpoint extends SendChannelEndpoint
{
    private final SocketWatch watch;
    private WatchedSocket socket = WatchedSocket.TRIED;

    /** Called by the driver. */
    public WatchedSendEndpoint(
        final UdpChannel udpChannel,
        final AtomicCounter statusIndicator,
        final MediaDriver.Context context,
        final SocketWatch watch)
    {
        super(udpChannel, statusIndicator, context);
        this.watch = watch;
    }

    @Override
    public final void openDatagramChannel(final AtomicCounter statusIndicator)
    {
        super.openDatagramChannel(statusIndicator);
        socket = watch.add(receiveDatagramChannel);
    }

    @Override
    public final InetSocketAddress receive(final ByteBuffer buffer)
    {
        if (!socket.isToBeRead())
        {
            return null;
        }

        final InetSocketAddress source = super.receive(buffer);
        socket.onRead(null != source);
        return source;
    }

    @Override
    public void close()
    {
        socket.forget();
        super.close();
        watch.forgetClosed();
    }
}
