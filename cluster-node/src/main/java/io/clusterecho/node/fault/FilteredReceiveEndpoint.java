package io.clusterecho.node.fault;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.ImageConnection;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * End of subscriptions at their sockets, also where a subscription has several, whose frames pass or are dropped. All calls
 * here are the receiver's.
 */
final class FilteredReceiveEndpoint extends ReceiveChannelEndpoint
{
    private final LinkSide receiver;

    FilteredReceiveEndpoint(
        final UdpChannel udpChannel,
        final DataPacketDispatcher dispatcher,
        final AtomicCounter statusIndicator,
        final MediaDriver.Context context,
        final LinkSide receiver)
    {
        super(udpChannel, dispatcher, statusIndicator, context);
        this.receiver = receiver;
    }

    /**
     * The driver asks this of each datagram, data and all others, before it looks into it.
     */
    @Override
    public boolean isValidFrame(final UnsafeBuffer buffer, final int length)
    {
        return !receiver.isUnheard() && super.isValidFrame(buffer, length);
    }

    @Override
    protected void send(final ByteBuffer buffer, final int length, final ImageConnection[] imageConnections)
    {
        if (!receiver.isUnsent())
        {
            super.send(buffer, length, imageConnections);
        }
    }

    @Override
    protected void send(
        final ByteBuffer buffer, final int length, final int transportIndex, final InetSocketAddress remoteAddress)
    {
        if (!receiver.isUnsent())
        {
            super.send(buffer, length, transportIndex, remoteAddress);
        }
    }
}
