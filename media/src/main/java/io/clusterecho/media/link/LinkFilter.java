package io.clusterecho.media.link;

import static io.aeron.driver.status.SystemCounterDescriptor.RECEIVER_CYCLE_TIME_THRESHOLD_EXCEEDED;
import static io.aeron.driver.status.SystemCounterDescriptor.RECEIVER_MAX_CYCLE_TIME;
import static io.aeron.driver.status.SystemCounterDescriptor.SENDER_CYCLE_TIME_THRESHOLD_EXCEEDED;
import static io.aeron.driver.status.SystemCounterDescriptor.SENDER_MAX_CYCLE_TIME;

import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

import io.aeron.driver.DutyCycleTracker;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.UdpChannel;
import io.aeron.driver.media.WildcardPortManager;
import io.aeron.driver.status.DutyCycleStallTracker;
import io.aeron.driver.status.SystemCounterDescriptor;
import io.aeron.exceptions.ConfigurationException;

import io.clusterecho.media.zone.Placement.Distances;
import io.clusterecho.settings.Io;

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
     * A filter by the file of a member, null if its link is never impaired, and the distances of others, null for none.
     *
     * @param own     of this process, null for the system's choice.
     * @param members by id, as {@link #distinctAddresses}.
     */
    public LinkFilter(
        final LinkFile file, final InetAddress own, final List<InetAddress> members, final Distances distances)
    {
        this.own = own;
        sender = new LinkSide(file, LinkFile.Side.SENDER, members, SENDER_SLOTS, SENDER_BYTES, distances);
        receiver = new LinkSide(file, LinkFile.Side.RECEIVER, members, RECEIVER_SLOTS, RECEIVER_BYTES, distances);
    }

    /**
     * Addresses by which a driver knows the members of its cluster; everyone else is a client. Ports do not help: data is sent
     * from ephemeral ones. So members are known only if each has an address of its own, from which it also sends. A client on the
     * host of a member is taken for that member.
     *
     * @return none if two addresses are the same, one does not resolve, or one is 127.0.0.1, which clients use.
     */
    public static List<InetAddress> distinctAddresses(final List<String> hosts)
    {
        final List<InetAddress> addresses = new ArrayList<>();
        hosts.forEach((host) ->
            addresses.add(Io.orElse(InetAddress.getLoopbackAddress(), () -> InetAddress.getByName(host))));
        final Set<InetAddress> distinct = new HashSet<>(addresses);
        return distinct.size() < addresses.size() || distinct.contains(InetAddress.getLoopbackAddress()) ? List.of() : addresses;
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
        SocketWatch.SUPPLIER_KEYS.stream().filter((key) -> null != System.getProperty(key)).findFirst().ifPresent((key) ->
        {
            throw new ConfigurationException(
                key + " is not allowed with a link filter or an emulated placement, which replace the endpoints");
        });

        watch.install(ctx, sender, receiver);
        ctx.senderDutyCycleTracker(tracker(
            ctx, sender, SENDER_MAX_CYCLE_TIME, SENDER_CYCLE_TIME_THRESHOLD_EXCEEDED, ctx::senderCycleThresholdNs));
        ctx.receiverDutyCycleTracker(tracker(
            ctx, receiver, RECEIVER_MAX_CYCLE_TIME, RECEIVER_CYCLE_TIME_THRESHOLD_EXCEEDED, ctx::receiverCycleThresholdNs));
        if (null != own)
        {
            ctx.senderPortManager(sendingFrom(own, WildcardPortManager.parsePortRange(ctx.senderWildcardPortRange())));
        }
    }

    /**
     * Called by an agent of the driver at the beginning of each duty cycle, before it sends or receives: the agent then reads
     * requests, and processes frames that are due. Aeron's own tracker comes after that; it is made in the first duty cycle,
     * because its counters are made with the driver.
     */
    private static DutyCycleTracker tracker(
        final MediaDriver.Context ctx,
        final LinkSide side,
        final SystemCounterDescriptor max,
        final SystemCounterDescriptor exceeded,
        final LongSupplier thresholdNs)
    {
        return new DutyCycleTracker()
        {
            private DutyCycleTracker tracker;

            @Override
            public void reportMeasurement(final long durationNs)
            {
                side.onDutyCycle();
                if (null == tracker)
                {
                    tracker = new DutyCycleStallTracker(
                        ctx.systemCounters().get(max), ctx.systemCounters().get(exceeded), thresholdNs.getAsLong());
                }
                tracker.reportMeasurement(durationNs);
            }
        };
    }

    /** Binds sending sockets to an address, where the system would choose one (127.0.0.1 on loopback). */
    private static WildcardPortManager sendingFrom(final InetAddress address, final int[] ports)
    {
        return new WildcardPortManager(ports, true)
        {
            @Override
            public InetSocketAddress getManagedPort(final UdpChannel udpChannel, final InetSocketAddress bindAddress)
                throws BindException
            {
                final InetSocketAddress managed = super.getManagedPort(udpChannel, bindAddress);
                return managed.getAddress().isAnyLocalAddress() ? new InetSocketAddress(address, managed.getPort()) : managed;
            }
        };
    }

    /** Whether a received frame is held until it is due. For a driver with one thread, on that thread. */
    public boolean isHolding()
    {
        return sender.isHolding() || receiver.isHolding();
    }
}
