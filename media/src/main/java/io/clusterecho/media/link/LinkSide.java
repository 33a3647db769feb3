package io.clusterecho.media.link;

import java.net.InetSocketAddress;
import java.util.Optional;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;

/**
 * The filter of one agent of the driver, sender or receiver. Used by the thread of this agent alone; it reads requests at the
 * beginning of a duty cycle, so that a frame costs one read of a plain field.
 */
final class LinkSide
{
    private static final long NONE = -1;

    /** Null if nothing can be cut. */
    private final LinkFile file;
    private final LinkFile.Side side;
    /** Null without distances. */
    private final LinkDelay delay;
    private long taken = NONE;
    private boolean isSendCut;
    private boolean isReceiveCut;

    LinkSide(final LinkFile file, final LinkFile.Side side, final LinkDelay delay)
    {
        this.file = file;
        this.side = side;
        this.delay = delay;
    }

    /**
     * Called on the conductor's thread, before the agent gets its first endpoint.
     */
    void allocateCounters(final CountersManager manager)
    {
        if (null != delay)
        {
            delay.allocateCounters(manager);
        }
    }

    void onDutyCycle()
    {
        if (null != file)
        {
            final long request = file.request();
            if (request != taken)
            {
                take(request);
            }
        }
        if (null != delay)
        {
            delay.release();
        }
    }

    /**
     * Whether a frame must not be sent; counts it if so.
     */
    boolean isUnsent()
    {
        if (isSendCut)
        {
            file.countUnsent(side);
        }

        return isSendCut;
    }

    /**
     * Whether a datagram that arrived, now or before it was held, must be dropped; counts it if so.
     */
    boolean isUnheard()
    {
        if (isReceiveCut)
        {
            file.countUnheard(side);
        }

        return isReceiveCut;
    }

    /**
     * Whether a frame that arrived must not be received now: it is held for later, or lost.
     */
    boolean isTaken(
        final DelayLine.Receiver receiver,
        final UnsafeBuffer buffer,
        final int lengthBytes,
        final InetSocketAddress source,
        final int transportIndex)
    {
        return null != delay && delay.isTaken(receiver, buffer, lengthBytes, source, transportIndex);
    }

    boolean isHolding()
    {
        return null != delay && delay.isHolding();
    }

    private void take(final long request)
    {
        final Optional<Direction> direction = LinkRequest.direction(request);
        isSendCut = direction.isPresent() && direction.get().isSendCut();
        isReceiveCut = direction.isPresent() && direction.get().isReceiveCut();
        taken = request;
        file.take(side, request);
    }
}
