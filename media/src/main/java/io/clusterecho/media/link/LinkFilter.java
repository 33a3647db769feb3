package io.clusterecho.media.link;

import static io.aeron.driver.status.SystemCounterDescriptor.RECEIVER_CYCLE_TIME_THRESHOLD_EXCEEDED;
import static io.aeron.driver.status.SystemCounterDescriptor.RECEIVER_MAX_CYCLE_TIME;
import static io.aeron.driver.status.SystemCounterDescriptor.SENDER_CYCLE_TIME_THRESHOLD_EXCEEDED;
import static io.aeron.driver.status.SystemCounterDescriptor.SENDER_MAX_CYCLE_TIME;

import java.util.List;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.WildcardPortManager;
import io.aeron.driver.status.DutyCycleStallTracker;
import io.aeron.exceptions.ConfigurationException;

import io.clusterecho.media.socket.SocketWatch;
import io.clusterecho.media.zone.Distances;

/**
 * What the network between a media driver and others does, within the driver.
 * <p>
 * Drops all UDP frames while it is asked to through a {@link LinkFile}: those that the driver sends, those that it receives,
 * or both. Holds the frames that it receives for as long as they would be on their way from where {@link Distances} say that
 * their sender is, or loses them: at the receiving end alone, so that no frame is held twice. IPC is not touched. While
 * nothing is dropped or held, a duty cycle costs one more read of memory that hardly ever changes, and a frame one of a plain
 * field.
 */
public final class LinkFilter
{
    /** Type of the driver's counter of frames that were lost as {@link Distances} ask for. */
    public static final int LOSS_TYPE_ID = 3310;
    /** Type of the driver's counter of frames that were lost since more were held than there is room for. */
    public static final int OVERFLOW_TYPE_ID = 3311;
    /** Keys of Aeron that name endpoints other than ours. */
    public static final List<String> SUPPLIER_KEYS =
        List.of("aeron.SendChannelEndpoint.supplier", "aeron.ReceiveChannelEndpoint.supplier");

    static final String LOSS_LABEL = "emulated distance: frames lost as asked";
    static final String OVERFLOW_LABEL = "emulated distance: frames lost for want of room";

    // Data: the window of a stream is 128 KB and more, and a node has a handful of streams from each other.
    private static final int RECEIVER_SLOTS = 1 << 14;
    private static final int RECEIVER_BYTES = 4 << 20;
    // Status messages and NAKs, of 28 to 36 bytes and with a cache line each.
    private static final int SENDER_SLOTS = 1 << 12;
    private static final int SENDER_BYTES = SENDER_SLOTS << 6;

    private final LinkSide sender;
    private final LinkSide receiver;
    private final Distances distances;

    /**
     * A filter that does what a file asks for, and knows distances.
     *
     * @param file      of the member whose driver it is for, or null if its links are never cut.
     * @param distances of others, or null if nobody is far away.
     */
    public LinkFilter(final LinkFile file, final Distances distances)
    {
        this.distances = distances;
        sender = new LinkSide(
            file, LinkFile.Side.SENDER, null == distances ? null : new LinkDelay(distances, SENDER_SLOTS, SENDER_BYTES));
        receiver = new LinkSide(
            file, LinkFile.Side.RECEIVER,
            null == distances ? null : new LinkDelay(distances, RECEIVER_SLOTS, RECEIVER_BYTES));
    }

    /**
     * Put the filter into a driver that is not launched yet. For one driver, with any threading mode.
     *
     * @param ctx of the driver; its endpoint suppliers, and the duty cycle trackers of sender and receiver, are replaced, and
     *            the sender's port manager where it sends from an address of its own.
     * @param watch that is told of the driver's sockets.
     * @throws ConfigurationException if the endpoints of this driver are to be others, as a system property says.
     */
    public void install(final MediaDriver.Context ctx, final SocketWatch watch)
    {
        for (final String key : SUPPLIER_KEYS)
        {
            if (null != System.getProperty(key))
            {
                throw new ConfigurationException(
                    key + " is not allowed with a filter of links or an emulated placement, which have endpoints of their own");
            }
        }

        ctx.sendChannelEndpointSupplier(
            (udpChannel, statusIndicator, context) ->
            {
                sender.allocateCounters(context.countersManager());
                return new FilteredSendEndpoint(udpChannel, statusIndicator, context, watch, sender);
            });
        ctx.receiveChannelEndpointSupplier(
            (udpChannel, dispatcher, statusIndicator, context) ->
            {
                receiver.allocateCounters(context.countersManager());
                return new FilteredReceiveEndpoint(udpChannel, dispatcher, statusIndicator, context, watch, receiver);
            });
        ctx.senderDutyCycleTracker(new FilterDutyCycle(
            sender,
            () -> new DutyCycleStallTracker(
                ctx.systemCounters().get(SENDER_MAX_CYCLE_TIME),
                ctx.systemCounters().get(SENDER_CYCLE_TIME_THRESHOLD_EXCEEDED),
                ctx.senderCycleThresholdNs())));
        ctx.receiverDutyCycleTracker(new FilterDutyCycle(
            receiver,
            () -> new DutyCycleStallTracker(
                ctx.systemCounters().get(RECEIVER_MAX_CYCLE_TIME),
                ctx.systemCounters().get(RECEIVER_CYCLE_TIME_THRESHOLD_EXCEEDED),
                ctx.receiverCycleThresholdNs())));
        if (null != distances && null != distances.own())
        {
            ctx.senderPortManager(new SenderAddress(
                distances.own(),
                new WildcardPortManager(WildcardPortManager.parsePortRange(ctx.senderWildcardPortRange()), true)));
        }
    }

    /**
     * Is any frame held back that is to be received by the clock? For a driver whose agents have one thread, on that thread.
     *
     * @return true if so.
     */
    public boolean isHolding()
    {
        return sender.isHolding() || receiver.isHolding();
    }
}
