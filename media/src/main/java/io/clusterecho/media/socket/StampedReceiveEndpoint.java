package io.clusterecho.media.socket;

import java.net.InetSocketAddress;
import java.nio.ByteOrder;

import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;

import org.agrona.BitUtil;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Receive endpoint that writes into the reserved value of each data frame when the driver received its datagram. Aeron's
 * {@code channel-rcv-ts-offset=reserved} does so for the first frame of a datagram only, and a datagram carries many short
 * messages. Called by the receiver of the driver; does not allocate.
 */
public final class StampedReceiveEndpoint extends ReceiveChannelEndpoint
{
    private final NanoClock clock;

    /**
     * Called by the driver.
     *
     * @param udpChannel      of the subscriptions.
     * @param dispatcher      of received frames.
     * @param statusIndicator of the channel.
     * @param context         of the driver.
     * @param clock           in ns, never 0: frames that were not stamped have a reserved value of 0.
     */
    public StampedReceiveEndpoint(
        final UdpChannel udpChannel,
        final DataPacketDispatcher dispatcher,
        final AtomicCounter statusIndicator,
        final MediaDriver.Context context,
        final NanoClock clock)
    {
        super(udpChannel, dispatcher, statusIndicator, context);
        this.clock = clock;
    }

    /**
     * Make a driver that is not launched yet stamp what it receives, unless a key of Aeron sets its endpoints. The thread that
     * polls the subscriptions should not be the one that runs the driver: what waits for that thread is not stamped.
     *
     * @param ctx   of the driver; its supplier of receive endpoints is replaced.
     * @param clock of the stamps, in ns.
     */
    public static void install(final MediaDriver.Context ctx, final NanoClock clock)
    {
        if (null == System.getProperty("aeron.ReceiveChannelEndpoint.supplier"))
        {
            ctx.receiveChannelEndpointSupplier(
                (udpChannel, dispatcher, statusIndicator, context) ->
                    new StampedReceiveEndpoint(udpChannel, dispatcher, statusIndicator, context, clock));
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
        stamp(buffer, length, clock.nanoTime());
        return super.onDataPacket(header, buffer, length, srcAddress, transportIndex);
    }

    /**
     * Stamp each frame of a datagram. A heartbeat, whose frame length is 0, stays as it is.
     *
     * @param buffer with the datagram from its begin.
     * @param length of the datagram in bytes.
     * @param timeNs of its arrival.
     */
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
