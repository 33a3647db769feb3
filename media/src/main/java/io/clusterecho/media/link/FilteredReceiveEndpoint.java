package io.clusterecho.media.link;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.ImageConnection;
import io.aeron.driver.media.UdpChannel;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.SetupFlyweight;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

import io.clusterecho.media.socket.SocketWatch;
import io.clusterecho.media.socket.WatchedReceiveEndpoint;

/**
 * Receive endpoint whose frames pass, are held or are dropped, also with several sockets per subscription. All calls here are
 * made by the receiver.
 */
final class FilteredReceiveEndpoint extends WatchedReceiveEndpoint implements DelayLine.Receiver
{
    private final LinkSide receiver;
    private final DataHeaderFlyweight data = new DataHeaderFlyweight();
    private final SetupFlyweight setup = new SetupFlyweight();
    private volatile boolean isClosed;

    FilteredReceiveEndpoint(
        final UdpChannel udpChannel,
        final DataPacketDispatcher dispatcher,
        final AtomicCounter statusIndicator,
        final MediaDriver.Context context,
        final SocketWatch watch,
        final LinkSide receiver)
    {
        super(udpChannel, dispatcher, statusIndicator, context, watch);
        this.receiver = receiver;
    }

    @Override
    public int onDataPacket(
        final DataHeaderFlyweight header,
        final UnsafeBuffer buffer,
        final int length,
        final InetSocketAddress srcAddress,
        final int transportIndex)
    {
        return receiver.isTaken(this, buffer, length, srcAddress, transportIndex) ? 0 :
            super.onDataPacket(header, buffer, length, srcAddress, transportIndex);
    }

    @Override
    public void onSetupMessage(
        final SetupFlyweight header,
        final UnsafeBuffer buffer,
        final int length,
        final InetSocketAddress srcAddress,
        final int transportIndex)
    {
        if (!receiver.isTaken(this, buffer, length, srcAddress, transportIndex))
        {
            super.onSetupMessage(header, buffer, length, srcAddress, transportIndex);
        }
    }

    /** Meanwhile the subscription, or the socket that the frame arrived at, may be gone. */
    @Override
    public void onDue(
        final UnsafeBuffer frame, final int lengthBytes, final InetSocketAddress source, final int transportIndex)
    {
        if (isClosed || !hasDestination(transportIndex) || receiver.isUnheard(source))
        {
            return;
        }

        switch (FrameDescriptor.frameType(frame, 0))
        {
            case HeaderFlyweight.HDR_TYPE_DATA:
            case HeaderFlyweight.HDR_TYPE_PAD:
                data.wrap(frame, 0, lengthBytes);
                super.onDataPacket(data, frame, lengthBytes, source, transportIndex);
                break;

            case HeaderFlyweight.HDR_TYPE_SETUP:
                setup.wrap(frame, 0, lengthBytes);
                super.onSetupMessage(setup, frame, lengthBytes, source, transportIndex);
                break;

            default:
                throw new IllegalStateException("unexpected type of a held frame: " + FrameDescriptor.frameType(frame, 0));
        }
    }

    @Override
    public void close()
    {
        isClosed = true;
        super.close();
    }

    @Override
    protected void send(final ByteBuffer buffer, final int length, final ImageConnection[] imageConnections)
    {
        if (!receiver.isUnsent(addressOf(imageConnections)))
        {
            super.send(buffer, length, imageConnections);
        }
    }

    @Override
    protected void send(
        final ByteBuffer buffer, final int length, final int transportIndex, final InetSocketAddress remoteAddress)
    {
        if (!receiver.isUnsent(remoteAddress))
        {
            super.send(buffer, length, transportIndex, remoteAddress);
        }
    }

    /** An image comes from one source, at whichever sockets it arrives. */
    private static InetSocketAddress addressOf(final ImageConnection[] imageConnections)
    {
        for (final ImageConnection connection : imageConnections)
        {
            if (null != connection)
            {
                return connection.controlAddress;
            }
        }

        return null;
    }
}
