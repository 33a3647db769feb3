package io.clusterecho.media.link;

import java.net.InetSocketAddress;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;

/**
 * The filter of one agent of the driver, sender or receiver. Used by the thread of this agent alone; it reads requests at the
 * beginning of a duty cycle, so that a frame costs one read of a plain field.
 */
final class LinkSide
{
    private static final long NONE = -1;

    /** Null if nothing can be impaired. */
    private final LinkFile file;
    private final LinkFile.Side side;
    /** Null if nothing can be impaired. */
    private final LinkImpairment impairment;
    /** Null without distances. */
    private final LinkDelay delay;
    private long taken = NONE;
    private boolean isSendImpaired;
    private boolean isReceiveImpaired;

    LinkSide(final LinkFile file, final LinkFile.Side side, final LinkImpairment impairment, final LinkDelay delay)
    {
        this.file = file;
        this.side = side;
        this.impairment = impairment;
        this.delay = delay;
    }

    /** Called on the conductor's thread, before the agent gets its first endpoint. */
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
            impairment.release();
        }
        if (null != delay)
        {
            delay.release();
        }
    }

    /**
     * Whether a frame must not be sent; counts it if so.
     *
     * @param destination or null for several members at once.
     */
    boolean isUnsent(final InetSocketAddress destination)
    {
        return isSendImpaired && impairment.isUnsent(destination);
    }

    /** Whether a frame that was held must be dropped, because its sender has been cut off meanwhile; counts it if so. */
    boolean isUnheard(final InetSocketAddress source)
    {
        return isReceiveImpaired && impairment.isUnheard(source);
    }

    /**
     * Whether a frame that arrived must not be received now: it is held for later, or lost.
     *
     * @param receiver   of a frame that was held for its distance.
     * @param unimpaired receiver of a frame that was held by an impairment; passes it to {@link #isDistant}.
     */
    boolean isTaken(
        final DelayLine.Receiver receiver,
        final DelayLine.Receiver unimpaired,
        final UnsafeBuffer buffer,
        final int lengthBytes,
        final InetSocketAddress source,
        final int transportIndex)
    {
        return isReceiveImpaired && impairment.isTaken(unimpaired, buffer, lengthBytes, source, transportIndex) ||
            isDistant(receiver, buffer, lengthBytes, source, transportIndex);
    }

    /** Whether a frame must not be received now because of the distance of its sender. */
    boolean isDistant(
        final DelayLine.Receiver receiver,
        final UnsafeBuffer buffer,
        final int lengthBytes,
        final InetSocketAddress source,
        final int transportIndex)
    {
        return null != delay && delay.isTaken(receiver, buffer, lengthBytes, source, transportIndex);
    }

    /** Receives frames that an impairment held; the receiver of those held for their distance is next. */
    DelayLine.Receiver before(final DelayLine.Receiver receiver)
    {
        return (frame, lengthBytes, source, transportIndex) ->
        {
            if (!isDistant(receiver, frame, lengthBytes, source, transportIndex))
            {
                receiver.onDue(frame, lengthBytes, source, transportIndex);
            }
        };
    }

    boolean isHolding()
    {
        return null != delay && delay.isHolding() || null != impairment && impairment.isHolding();
    }

    private void take(final long request)
    {
        final Impairment next = file.impairment(request);
        if (null == next)
        {
            // Being written: the next duty cycle reads it.
            return;
        }

        impairment.begin(next);
        isSendImpaired = !next.hasNoEffect() && next.direction().isSend();
        isReceiveImpaired = !next.hasNoEffect() && next.direction().isReceive();
        taken = request;
        file.take(side, request);
    }
}
