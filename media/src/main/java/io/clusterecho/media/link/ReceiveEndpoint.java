package io.clusterecho.media.link;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.ImageConnection;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.ReceiveDestinationTransport;
import io.aeron.driver.media.UdpChannel;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.SetupFlyweight;

import io.clusterecho.platform.ArrivalClock;

import org.agrona.BitUtil;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Receive endpoint that registers its sockets with a watch, also with several sockets per subscription. With a filter, frames
 * pass, are held or are dropped. Stamping, it writes into the reserved value of each data frame when its datagram arrived: the
 * kernel's stamp, where it is known. Aeron's {@code channel-rcv-ts-offset=reserved} does so for the first frame of a datagram
 * only, and a datagram carries many short messages; its {@code media-rcv-ts-offset} is not for the Java driver. All calls are
 * made by the receiver of the driver; does not allocate for a frame.
 */
public final class ReceiveEndpoint extends ReceiveChannelEndpoint implements DelayLine.Receiver
{
    /** Reserved value of a frame whose arrival is unknown. */
    private static final long NOT_STAMPED = 0;

    private final SocketWatch watch;
    /** Null without a filter. */
    private final LinkSide filter;
    private final NanoClock otherwise;
    /** Null if it does not stamp. */
    private final Consumer<String> onMissing;
    private final DataHeaderFlyweight data = new DataHeaderFlyweight();
    private final SetupFlyweight setup = new SetupFlyweight();
    private WatchedSocket socket = WatchedSocket.TRIED;
    /** Null where the kernel does not stamp. */
    private ArrivalClock arrivals;
    private volatile boolean isClosed;

    ReceiveEndpoint(
        final UdpChannel udpChannel,
        final DataPacketDispatcher dispatcher,
        final AtomicCounter statusIndicator,
        final MediaDriver.Context context,
        final SocketWatch watch,
        final LinkSide filter,
        final NanoClock otherwise,
        final Consumer<String> onMissing)
    {
        super(udpChannel, dispatcher, statusIndicator, context);
        this.watch = watch;
        this.filter = filter;
        if (null != filter)
        {
            filter.allocateCounters(context.countersManager());
        }
        this.otherwise = otherwise;
        this.onMissing = onMissing;
    }

    /**
     * Make a driver that is not launched yet stamp what it receives, unless a key of Aeron sets its endpoints. Stamps of the
     * kernel are on the clock of {@link System#nanoTime()}.
     *
     * @param otherwise of stamps where the kernel makes none: when the driver read the datagram, in ns, never 0. Null if the
     *                  thread that polls the subscriptions also runs the driver: what waits for it would not be seen.
     * @param onMissing receives the reason where the kernel makes none; called on any thread.
     */
    public static void installStamping(
        final MediaDriver.Context ctx, final SocketWatch watch, final NanoClock otherwise, final Consumer<String> onMissing)
    {
        if (null == System.getProperty("aeron.ReceiveChannelEndpoint.supplier"))
        {
            ctx.receiveChannelEndpointSupplier(
                (udpChannel, dispatcher, statusIndicator, context) -> new ReceiveEndpoint(
                    udpChannel, dispatcher, statusIndicator, context, watch, null, otherwise, onMissing));
        }
    }

    @Override
    public void openDatagramChannel(final AtomicCounter statusIndicator)
    {
        super.openDatagramChannel(statusIndicator);
        socket = watch.add(receiveDatagramChannel);
        if (null != onMissing)
        {
            try
            {
                arrivals = ArrivalClock.of(receiveDatagramChannel);
            }
            catch (final IOException ex)
            {
                onMissing.accept(ex.getMessage());
            }
        }
    }

    @Override
    public int addDestination(final ReceiveDestinationTransport transport)
    {
        // Its socket is read by the transport itself.
        watch.add(transport.receiveDatagramChannel(), WatchedSocket.TRIED);
        return super.addDestination(transport);
    }

    @Override
    public void removeDestination(final int transportIndex)
    {
        watch.remove(destination(transportIndex).receiveDatagramChannel());
        super.removeDestination(transportIndex);
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

    @Override
    public int onDataPacket(
        final DataHeaderFlyweight header,
        final UnsafeBuffer buffer,
        final int length,
        final InetSocketAddress srcAddress,
        final int transportIndex)
    {
        if (null != filter && filter.isTaken(this, buffer, length, srcAddress, transportIndex))
        {
            return 0;
        }

        if (null != onMissing)
        {
            stamp(buffer, length, arrivalNs());
        }
        return super.onDataPacket(header, buffer, length, srcAddress, transportIndex);
    }

    @Override
    public void onSetupMessage(
        final SetupFlyweight header,
        final UnsafeBuffer buffer,
        final int length,
        final InetSocketAddress srcAddress,
        final int transportIndex)
    {
        if (null == filter || !filter.isTaken(this, buffer, length, srcAddress, transportIndex))
        {
            super.onSetupMessage(header, buffer, length, srcAddress, transportIndex);
        }
    }

    /** Meanwhile the subscription, or the socket that the frame arrived at, may be gone. */
    @Override
    public void onDue(
        final UnsafeBuffer frame, final int lengthBytes, final InetSocketAddress source, final int transportIndex)
    {
        if (isClosed || !hasDestination(transportIndex) || filter.isUnheard(source))
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
        socket.forget();
        super.close();
        watch.forgetClosed();
    }

    @Override
    protected void send(final ByteBuffer buffer, final int length, final ImageConnection[] imageConnections)
    {
        if (null == filter || !filter.isUnsent(addressOf(imageConnections)))
        {
            super.send(buffer, length, imageConnections);
        }
    }

    @Override
    protected void send(
        final ByteBuffer buffer, final int length, final int transportIndex, final InetSocketAddress remoteAddress)
    {
        if (null == filter || !filter.isUnsent(remoteAddress))
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

    private long arrivalNs()
    {
        if (null == arrivals)
        {
            return null == otherwise ? NOT_STAMPED : otherwise.nanoTime();
        }
        final long timeNs = arrivals.lastNs();
        return ArrivalClock.UNKNOWN_NS == timeNs ? NOT_STAMPED : timeNs;
    }

    /** Stamp each frame of a datagram. A heartbeat, whose frame length is 0, stays as it is. */
    static void stamp(final UnsafeBuffer buffer, final int length, final long timeNs)
    {
        int offset = 0;
        while (offset + DataHeaderFlyweight.HEADER_LENGTH <= length)
        {
            final int frameLength = FrameDescriptor.frameLength(buffer, offset);
            if (frameLength < DataHeaderFlyweight.HEADER_LENGTH)
            {
                break;
            }
            buffer.putLong(offset + DataHeaderFlyweight.RESERVED_VALUE_OFFSET, timeNs, ByteOrder.LITTLE_ENDIAN);
            offset += BitUtil.align(frameLength, FrameDescriptor.FRAME_ALIGNMENT);
        }
    }
}
