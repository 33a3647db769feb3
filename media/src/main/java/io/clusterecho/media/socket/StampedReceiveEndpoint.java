package io.clusterecho.media.socket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.util.function.Consumer;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.UdpChannel;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;

import io.clusterecho.platform.ArrivalClock;

import org.agrona.BitUtil;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Receive endpoint that writes into the reserved value of each data frame when its datagram arrived: the kernel's stamp, where it
 * is known. Aeron's {@code channel-rcv-ts-offset=reserved} does so for the first frame of a datagram only, and a datagram carries
 * many short messages; its {@code media-rcv-ts-offset} is not for the Java driver. Called by the receiver of the driver; does not
 * allocate.
 */
public final class StampedReceiveEndpoint extends WatchedReceiveEndpoint
{
    /** Reserved value of a frame whose arrival is unknown. */
    private static final long NOT_STAMPED = 0;

    private final NanoClock otherwise;
    private final Consumer<String> onMissing;
    /** Null where the kernel does not stamp. */
    private ArrivalClock arrivals;

    /** Called by the driver. */
    public StampedReceiveEndpoint(
        final UdpChannel udpChannel,
        final DataPacketDispatcher dispatcher,
        final AtomicCounter statusIndicator,
        final MediaDriver.Context context,
        final SocketWatch watch,
        final NanoClock otherwise,
        final Consumer<String> onMissing)
    {
        super(udpChannel, dispatcher, statusIndicator, context, watch);
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
    public static void install(
        final MediaDriver.Context ctx, final SocketWatch watch, final NanoClock otherwise, final Consumer<String> onMissing)
    {
        if (null == System.getProperty("aeron.ReceiveChannelEndpoint.supplier"))
        {
            ctx.receiveChannelEndpointSupplier(
                (udpChannel, dispatcher, statusIndicator, context) -> new StampedReceiveEndpoint(
                    udpChannel, dispatcher, statusIndicator, context, watch, otherwise, onMissing));
        }
    }

    @Override
    public void openDatagramChannel(final AtomicCounter statusIndicator)
    {
        super.openDatagramChannel(statusIndicator);
        try
        {
            arrivals = ArrivalClock.of(receiveDatagramChannel);
        }
        catch (final IOException ex)
        {
            onMissing.accept(ex.getMessage());
        }
    }

    @Override
    public int onDataPacket(
        final DataHeaderFlyweight header,
        final UnsafeBuffer buffer,
        final int length,
        final InetSocketAddress srcAddress,
        final int transportIndex)
    {
        stamp(buffer, length, arrivalNs());
        return super.onDataPacket(header, buffer, length, srcAddress, transportIndex);
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
