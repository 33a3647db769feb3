package io.clusterecho.media.link;

import java.net.InetSocketAddress;
import java.util.Optional;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;

/**
 * What one agent of the driver, sender or receiver, lets pass, and when. Touched by the thread of this agent alone; it learns
 * of a request at the start of a duty cycle, so that a frame costs the read of a plain field.
 */
final class LinkSide
{
    private static final long NONE = -1;

    /** Null where nothing can be cut. */
    private final LinkFile file;
    private final LinkFile.Side side;
    /** Null where nobody is far away. */
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
     * On the conductor's thread, before the agent gets its first endpoint.
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
     * Shall a frame not be sent? Counts it if so.
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
     * Shall a datagram that arrived, now or when it was held, be ignored? Counts it if so.
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
     * Is a frame that arrived not to be received now? It is held then, and the receiver gets it later, or it is lost.
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
