package io.clusterecho.media.socket;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.ReceiveDestinationTransport;
import io.aeron.driver.media.UdpChannel;

import org.agrona.concurrent.status.AtomicCounter;

/** Receive endpoint that registers its sockets with a watch, also with several sockets per subscription. */
public class WatchedReceiveEndpoint extends ReceiveChannelEndpoint
{
    private final SocketWatch watch;
    private WatchedSocket socket = WatchedSocket.TRIED;

    /** Called by the driver. */
    public WatchedReceiveEndpoint(
        final UdpChannel udpChannel,
        final DataPacketDispatcher dispatcher,
        final AtomicCounter statusIndicator,
        final MediaDriver.Context context,
        final SocketWatch watch)
    {
        super(udpChannel, dispatcher, statusIndicator, context);
        this.watch = watch;
    }

    @Override
    public void openDatagramChannel(final AtomicCounter statusIndicator)
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
    public final int addDestination(final ReceiveDestinationTransport transport)
    {
        // Its socket is read by the transport itself.
        watch.add(transport.receiveDatagramChannel(), WatchedSocket.TRIED);
        return super.addDestination(transport);
    }

    @Override
    public final void removeDestination(final int transportIndex)
    {
        watch.remove(destination(transportIndex).receiveDatagramChannel());
        super.removeDestination(transportIndex);
    }

    @Override
    public void close()
    {
        socket.forget();
        super.close();
        watch.forgetClosed();
    }
}
