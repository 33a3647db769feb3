package io.clusterecho.media.link;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;

import io.clusterecho.media.zone.Distance;
import io.clusterecho.media.zone.Distances;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;

/**
 * The filter of one agent of the driver, sender or receiver: applies the {@link Impairment} that was requested last, then the
 * delay of a distance. Used by the thread of this agent alone; it reads requests at the beginning of a duty cycle, so that a
 * frame costs one read of a plain field. Allocates when an impairment begins, and not for a frame.
 */
final class LinkSide
{
    private static final long NONE = -1;

    /** Null if nothing can be impaired, as are the lines then. */
    private final LinkFile file;
    private final LinkFile.Side side;
    private final MemberAddresses members;
    private final DelayLine line;
    /** Frames that later ones overtake. */
    private final DelayLine overtaken;
    /** For frames from a distance, by sender; null for one without a distance, and for the driver's own address. */
    private final Map<InetAddress, DelayLine> distant = new HashMap<>();
    private final DelayLine ofClients;
    private final DelayLine[] distantLines;
    private AtomicCounter lossCounter;
    private AtomicCounter overflowCounter;
    private Impairment impairment = Impairment.NONE;
    private SplittableRandom random = new SplittableRandom(0);
    private long taken = NONE;
    private boolean isSendImpaired;
    private boolean isReceiveImpaired;

    /**
     * No impairment yet. Each line has room for a number of frames, a power of two, and for bytes of these, a multiple of 256.
     *
     * @param distances of others, null for none.
     */
    LinkSide(
        final LinkFile file,
        final LinkFile.Side side,
        final MemberAddresses members,
        final int slotCount,
        final int capacityBytes,
        final Distances distances)
    {
        this.file = file;
        this.side = side;
        this.members = members;
        line = null == file ? null : new DelayLine(Distance.NONE, slotCount, capacityBytes, 0);
        overtaken = null == file ? null : new DelayLine(Distance.NONE, slotCount / 4, capacityBytes / 4, 0);
        if (null != distances)
        {
            distant.put(distances.own(), null);
            distances.members().forEach((address, distance) ->
                distant.put(address, line(distance, slotCount, capacityBytes, address.hashCode())));
        }
        ofClients = null == distances ? null : line(distances.clients(), slotCount, capacityBytes, 0);
        distantLines = Stream.concat(distant.values().stream(), Stream.ofNullable(ofClients)).filter(Objects::nonNull)
            .toArray(DelayLine[]::new);
    }

    private static DelayLine line(final Distance distance, final int slotCount, final int capacityBytes, final long seed)
    {
        return distance.isNone() ? null : new DelayLine(distance, slotCount, capacityBytes, seed);
    }

    /**
     * Allocate the driver's counters of frames that distances lose, if there are distances. Called on its conductor's thread,
     * before the agent gets its first endpoint; does nothing the second time.
     */
    void allocateCounters(final CountersManager manager)
    {
        if (!distant.isEmpty() && null == lossCounter)
        {
            lossCounter = manager.newCounter(LinkFilter.LOSS_LABEL, LinkFilter.LOSS_TYPE_ID);
            overflowCounter = manager.newCounter(LinkFilter.OVERFLOW_LABEL, LinkFilter.OVERFLOW_TYPE_ID);
        }
    }

    /** Read a new request, and deliver frames that are due. */
    void onDutyCycle()
    {
        if (null != file)
        {
            final long request = file.request();
            if (request != taken)
            {
                take(request);
            }
            if (isImpairmentHolding())
            {
                final long nowNs = System.nanoTime();
                line.release(nowNs);
                overtaken.release(nowNs);
            }
        }
        for (final DelayLine distantLine : distantLines)
        {
            if (!distantLine.isEmpty())
            {
                distantLine.release(System.nanoTime());
            }
        }
    }

    /** Whether a frame, to a destination or null for several members, must not be sent; counts it if so. */
    boolean isUnsent(final InetSocketAddress destination)
    {
        final boolean isUnsent = isSendImpaired && isOf(destination) && isDrawn(impairment.lossPpm());
        if (isUnsent)
        {
            file.increment(side, LinkFile.Count.UNSENT);
        }

        return isUnsent;
    }

    /** Whether a frame that was held must be dropped, because its sender has been cut off meanwhile; counts it if so. */
    boolean isUnheard(final InetSocketAddress source)
    {
        final boolean isUnheard = isReceiveImpaired && impairment.losesAll() && isOf(source);
        if (isUnheard)
        {
            file.increment(side, LinkFile.Count.UNHEARD);
        }

        return isUnheard;
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
        return isReceiveImpaired && isImpaired(unimpaired, buffer, lengthBytes, source, transportIndex) ||
            isDistant(receiver, buffer, lengthBytes, source, transportIndex);
    }

    private boolean isImpaired(
        final DelayLine.Receiver receiver,
        final UnsafeBuffer buffer,
        final int lengthBytes,
        final InetSocketAddress source,
        final int transportIndex)
    {
        if (!isOf(source))
        {
            return false;
        }
        if (isDrawn(impairment.lossPpm()))
        {
            file.increment(side, LinkFile.Count.UNHEARD);
            return true;
        }

        final boolean isDoubled = isDrawn(impairment.duplicatePpm());
        final boolean isOvertaken = isDrawn(impairment.reorderPpm());
        final boolean isDelayed = 0 != impairment.delayNs() + impairment.jitterNs();
        if (!isDoubled && !isOvertaken && !isDelayed)
        {
            return false;
        }

        final long dueNs = System.nanoTime() + impairment.delayNs() + jitterNs();
        if (isDoubled && line.addUntil(receiver, buffer, lengthBytes, source, transportIndex, dueNs))
        {
            file.increment(side, LinkFile.Count.DOUBLED);
        }
        if (isOvertaken || isDelayed)
        {
            final boolean isHeld = isOvertaken ?
                overtaken.addUntil(receiver, buffer, lengthBytes, source, transportIndex, dueNs + Impairment.OVERTAKING_NS) :
                line.addUntil(receiver, buffer, lengthBytes, source, transportIndex, dueNs);
            // Without space it is lost, as in a router.
            file.increment(side, isHeld ? LinkFile.Count.DELAYED : LinkFile.Count.UNHEARD);
        }

        return isOvertaken || isDelayed;
    }

    /** Whether a frame must not be received now, because it is held or lost for the distance of its sender. */
    boolean isDistant(
        final DelayLine.Receiver receiver,
        final UnsafeBuffer buffer,
        final int lengthBytes,
        final InetSocketAddress source,
        final int transportIndex)
    {
        final DelayLine ofSource =
            0 == distantLines.length ? null : distant.getOrDefault(source.getAddress(), ofClients);
        if (null == ofSource)
        {
            return false;
        }

        if (ofSource.isLost())
        {
            lossCounter.incrementRelease();
        }
        else if (!ofSource.add(receiver, buffer, lengthBytes, source, transportIndex, System.nanoTime()))
        {
            overflowCounter.incrementRelease();
        }
        return true;
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
        for (final DelayLine distantLine : distantLines)
        {
            if (!distantLine.isEmpty())
            {
                return true;
            }
        }
        return null != file && isImpairmentHolding();
    }

    private boolean isImpairmentHolding()
    {
        return !line.isEmpty() || !overtaken.isEmpty();
    }

    private void take(final long request)
    {
        final Impairment next = file.impairment(request);
        if (null == next)
        {
            // Being written: the next duty cycle reads it.
            return;
        }

        impairment = next;
        random = new SplittableRandom(next.seed() ^ side.ordinal());
        isSendImpaired = !next.hasNoEffect() && next.direction().isSend();
        isReceiveImpaired = !next.hasNoEffect() && next.direction().isReceive();
        taken = request;
        file.take(side, request);
    }

    private boolean isOf(final InetSocketAddress other)
    {
        return switch (impairment.scope())
        {
            case ALL -> true;
            case MEMBER -> null != other && members.isOfMember(impairment.memberId(), other.getAddress());
            case CLIENTS -> null != other && members.isOfClient(other.getAddress());
        };
    }

    private boolean isDrawn(final int ppm)
    {
        return ppm > 0 && random.nextInt(Impairment.ALL_PPM) < ppm;
    }

    private long jitterNs()
    {
        return 0 == impairment.jitterNs() ? 0 : random.nextLong(impairment.jitterNs() + 1);
    }
}
