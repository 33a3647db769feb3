package io.clusterecho.media.link;

import static io.aeron.driver.status.SystemCounterDescriptor.RECEIVER_CYCLE_TIME_THRESHOLD_EXCEEDED;
import static io.aeron.driver.status.SystemCounterDescriptor.RECEIVER_MAX_CYCLE_TIME;
import static io.aeron.driver.status.SystemCounterDescriptor.SENDER_CYCLE_TIME_THRESHOLD_EXCEEDED;
import static io.aeron.driver.status.SystemCounterDescriptor.SENDER_MAX_CYCLE_TIME;

import java.net.InetAddress;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.WildcardPortManager;
import io.aeron.driver.status.DutyCycleStallTracker;
import io.aeron.exceptions.ConfigurationException;

import io.clusterecho.media.socket.SocketWatch;
import io.clusterecho.media.zone.Distances;

/**
 * Emulates the network between a media driver and others, within the driver.
 * <p>
 * On request through a {@link LinkFile}, applies an {@link Impairment} to UDP frames that the driver sends, receives, or both:
 * loses, delays, duplicates or reorders them. Holds received frames for the delay of their sender's distance in
 * {@link Distances}, or loses them: at the receiving end only, so that no frame is held twice. Does not affect IPC. While
 * nothing is impaired or distant, it costs one more memory read of a rarely written location per duty cycle, and one of a plain
 * field per frame.
 */
public final class LinkFilter
{
    /** Type of the driver's counter of frames dropped by the configured loss of {@link Distances}. */
    public static final int LOSS_TYPE_ID = 3310;
    /** Type of the driver's counter of frames dropped because a delay line was full. */
    public static final int OVERFLOW_TYPE_ID = 3311;
    static final String LOSS_LABEL = "emulated distance: frames lost as configured";
    static final String OVERFLOW_LABEL = "emulated distance: frames lost, delay line full";

    // Data: the window of a stream is 128 KB or more, and a node has a handful of streams from each other node.
    private static final int RECEIVER_SLOTS = 1 << 14;
    private static final int RECEIVER_BYTES = 4 << 20;
    // Status messages and NAKs: 28 to 36 bytes, with a cache line each.
    private static final int SENDER_SLOTS = 1 << 12;
    private static final int SENDER_BYTES = SENDER_SLOTS << 6;

    private final LinkSide sender;
    private final LinkSide receiver;
    /** Null for the system's choice. */
    private final InetAddress own;

    /**
     * @param file      of the member with the driver, or null if its link is never impaired.
     * @param members   of the cluster, for requests; not used without a file.
     * @param distances of others, or null for none.
     */
    public LinkFilter(final LinkFile file, final MemberAddresses members, final Distances distances)
    {
        own = null == distances ? members.own() : distances.own();
        sender = side(file, LinkFile.Side.SENDER, members, distances, SENDER_SLOTS, SENDER_BYTES);
        receiver = side(file, LinkFile.Side.RECEIVER, members, distances, RECEIVER_SLOTS, RECEIVER_BYTES);
        if (null != file)
        {
            file.memberCount(members.count());
        }
    }

    private static LinkSide side(
        final LinkFile file,
        final LinkFile.Side side,
        final MemberAddresses members,
        final Distances distances,
        final int slotCount,
        final int capacityBytes)
    {
        return new LinkSide(
            file, side,
            null == file ? null : new LinkImpairment(file, side, members, slotCount, capacityBytes),
            null == distances ? null : new LinkDelay(distances, slotCount, capacityBytes));
    }

    /**
     * Install the filter in a driver that is not launched yet. For one driver, with any threading mode.
     *
     * @param ctx of the driver; its endpoint suppliers and the duty cycle trackers of sender and receiver are replaced, and the
     *            sender's port manager if it sends from a separate address.
     * @param watch to register the driver's sockets with.
     * @throws ConfigurationException if a system property sets other endpoints for this driver.
     */
    public void install(final MediaDriver.Context ctx, final SocketWatch watch)
    {
        for (final String key : SocketWatch.SUPPLIER_KEYS)
        {
            if (null != System.getProperty(key))
            {
                throw new ConfigurationException(
                    key + " is not allowed with a link filter or an emulated placement, which replace the endpoints");
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
        if (null != own)
        {
            ctx.senderPortManager(new SenderAddress(
                own,
                new WildcardPortManager(WildcardPortManager.parsePortRange(ctx.senderWildcardPortRange()), true)));
        }
    }

    /** Whether a received frame is held until it is due. For a driver with one thread, on that thread. */
    public boolean isHolding()
    {
        return sender.isHolding() || receiver.isHolding();
    }
}
