package io.clusterecho.node.fault;

import static io.aeron.driver.status.SystemCounterDescriptor.RECEIVER_CYCLE_TIME_THRESHOLD_EXCEEDED;
import static io.aeron.driver.status.SystemCounterDescriptor.RECEIVER_MAX_CYCLE_TIME;
import static io.aeron.driver.status.SystemCounterDescriptor.SENDER_CYCLE_TIME_THRESHOLD_EXCEEDED;
import static io.aeron.driver.status.SystemCounterDescriptor.SENDER_MAX_CYCLE_TIME;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.status.DutyCycleStallTracker;

import io.clusterecho.link.LinkFile;

/**
 * Drops all UDP frames of a media driver while it is asked to through a {@link LinkFile}: those that it sends, those that it
 * receives, or both. IPC is not touched. While nothing is dropped, a duty cycle costs one more read of memory that hardly
 * ever changes, and a frame one of a plain field.
 */
public final class LinkFilter
{
    private final LinkSide sender;
    private final LinkSide receiver;

    /**
     * A filter that does what a file asks for.
     *
     * @param file of the member whose driver it is for.
     */
    public LinkFilter(final LinkFile file)
    {
        sender = new LinkSide(file, LinkFile.Side.SENDER);
        receiver = new LinkSide(file, LinkFile.Side.RECEIVER);
    }

    /**
     * Put the filter into a driver that is not launched yet. For one driver, with any threading mode.
     *
     * @param ctx of the driver; its endpoint suppliers, and the duty cycle trackers of sender and receiver, are replaced.
     */
    public void install(final MediaDriver.Context ctx)
    {
        ctx.sendChannelEndpointSupplier(
            (udpChannel, statusIndicator, context) ->
                new FilteredSendEndpoint(udpChannel, statusIndicator, context, sender));
        ctx.receiveChannelEndpointSupplier(
            (udpChannel, dispatcher, statusIndicator, context) ->
                new FilteredReceiveEndpoint(udpChannel, dispatcher, statusIndicator, context, receiver));
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
    }
}
