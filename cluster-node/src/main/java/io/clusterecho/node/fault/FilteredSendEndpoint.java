package io.clusterecho.node.fault;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * End of publications at their sockets, whose frames pass or are dropped. All calls here are the sender's.
 */
final class FilteredSendEndpoint extends SendChannelEndpoint
{
    private final LinkSide sender;

    FilteredSendEndpoint(
        final UdpChannel udpChannel,
        final AtomicCounter statusIndicator,
        final MediaDriver.Context context,
        final LinkSide sender)
    {
        super(udpChannel, statusIndicator, context);
        this.sender = sender;
    }

    /**
     * Send to the one address of the channel, or to all its destinations.
     *
     * @param buffer with a frame from position to limit.
     * @return bytes sent; of a dropped frame all of them, or the publication would take it for back pressure and wait.
     */
    @Override
    public int send(final ByteBuffer buffer)
    {
        return sender.isUnsent() ? buffer.remaining() : super.send(buffer);
    }

    @Override
    public int send(final ByteBuffer buffer, final InetSocketAddress endpointAddress)
    {
        return sender.isUnsent() ? buffer.remaining() : super.send(buffer, endpointAddress);
    }

    /**
     * The driver asks this of each datagram, status messages and all others, before it looks into it.
     */
    @Override
    public boolean isValidFrame(final UnsafeBuffer buffer, final int length)
    {
        return !sender.isUnheard() && super.isValidFrame(buffer, length);
    }
}
