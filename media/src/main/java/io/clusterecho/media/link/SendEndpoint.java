package io.clusterecho.media.link;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

import io.aeron.driver.DriverConductorProxy;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.SendChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.ErrorFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.NakFlyweight;
import io.aeron.protocol.StatusMessageFlyweight;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Send endpoint that registers its sockets with a watch: status messages and NAKs arrive there. With a filter, frames pass, are
 * held or are dropped; measurements of round trips and setups of response channels pass, as no channel of a cluster has them.
 * All calls are made by the sender of the driver.
 */
final class SendEndpoint extends SendChannelEndpoint implements DelayLine.Receiver
{
    private static final int ONLY_TRANSPORT = 0;

    private final SocketWatch watch;
    /** Null without a filter. */
    private final LinkSide filter;
    /** Null for several destinations, which are members. */
    private final InetSocketAddress destination;
    private final NakFlyweight nak = new NakFlyweight();
    private final StatusMessageFlyweight statusMessage = new StatusMessageFlyweight();
    private final ErrorFlyweight error = new ErrorFlyweight();
    private WatchedSocket socket = WatchedSocket.TRIED;
    private DriverConductorProxy conductorProxy;
    private volatile boolean isClosed;

    SendEndpoint(
        final UdpChannel udpChannel,
        final AtomicCounter statusIndicator,
        final MediaDriver.Context context,
        final SocketWatch watch,
        final LinkSide filter)
    {
        super(udpChannel, statusIndicator, context);
        this.watch = watch;
        this.filter = filter;
        if (null != filter)
        {
            filter.allocateCounters(context.countersManager());
        }
        destination = udpChannel.isMultiDestination() ? null : udpChannel.remoteData();
    }

    @Override
    public void openDatagramChannel(final AtomicCounter statusIndicator)
    {
        super.openDatagramChannel(statusIndicator);
        socket = watch.add(receiveDatagramChannel);
    }

    @Override
    public InetSocketAddress receive(final ByteBuffer buffer)
    {
        if (!socket.isToBeRead())
        {
            return null;
        }

        final InetSocketAddress source = super.receive(buffer);
        socket.onRead(null != source);
        return source;
    }

    /**
     * Send to the address of the channel, or to all its destinations.
     *
     * @param buffer with a frame from position to limit.
     * @return bytes sent; for a dropped frame its full length, because the publication would take less for back pressure.
     */
    @Override
    public int send(final ByteBuffer buffer)
    {
        return null != filter && filter.isUnsent(destination) ? buffer.remaining() : super.send(buffer);
    }

    @Override
    public int send(final ByteBuffer buffer, final InetSocketAddress endpointAddress)
    {
        return null != filter && filter.isUnsent(endpointAddress) ? buffer.remaining() : super.send(buffer, endpointAddress);
    }

    @Override
    public void onStatusMessage(
        final StatusMessageFlyweight msg,
        final UnsafeBuffer buffer,
        final int length,
        final InetSocketAddress srcAddress,
        final DriverConductorProxy conductorProxy)
    {
        if (!isTaken(buffer, length, srcAddress, conductorProxy))
        {
            super.onStatusMessage(msg, buffer, length, srcAddress, conductorProxy);
        }
    }

    @Override
    public void onError(
        final ErrorFlyweight msg,
        final UnsafeBuffer buffer,
        final int length,
        final InetSocketAddress srcAddress,
        final DriverConductorProxy conductorProxy)
    {
        if (!isTaken(buffer, length, srcAddress, conductorProxy))
        {
            super.onError(msg, buffer, length, srcAddress, conductorProxy);
        }
    }

    @Override
    public void onNakMessage(
        final NakFlyweight msg, final UnsafeBuffer buffer, final int length, final InetSocketAddress srcAddress)
    {
        if (!isTaken(buffer, length, srcAddress, conductorProxy))
        {
            super.onNakMessage(msg, buffer, length, srcAddress);
        }
    }

    /** Meanwhile the publication may be gone. */
    @Override
    public void onDue(
        final UnsafeBuffer frame, final int lengthBytes, final InetSocketAddress source, final int transportIndex)
    {
        if (isClosed || filter.isUnheard(source))
        {
            return;
        }

        switch (FrameDescriptor.frameType(frame, 0))
        {
            case HeaderFlyweight.HDR_TYPE_NAK:
                nak.wrap(frame, 0, lengthBytes);
                super.onNakMessage(nak, frame, lengthBytes, source);
                break;

            case HeaderFlyweight.HDR_TYPE_SM:
                statusMessage.wrap(frame, 0, lengthBytes);
                super.onStatusMessage(statusMessage, frame, lengthBytes, source, conductorProxy);
                break;

            case HeaderFlyweight.HDR_TYPE_ERR:
                error.wrap(frame, 0, lengthBytes);
                super.onError(error, frame, lengthBytes, source, conductorProxy);
                break;

            default:
                throw new IllegalStateException("unexpected type of a held frame: " + FrameDescriptor.frameType(frame, 0));
        }
    }

    @Override
    public void close()
    {
        isClosed = true;
        socket.forget();
        super.close();
        watch.forgetClosed();
    }

    private boolean isTaken(
        final UnsafeBuffer buffer,
        final int lengthBytes,
        final InetSocketAddress source,
        final DriverConductorProxy presentConductorProxy)
    {
        // Always the same one.
        conductorProxy = presentConductorProxy;
        return null != filter && filter.isTaken(this, buffer, lengthBytes, source, ONLY_TRANSPORT);
    }
}
