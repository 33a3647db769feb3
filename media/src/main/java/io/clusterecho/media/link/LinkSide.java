package io.clusterecho.media.link;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;

import io.clusterecho.media.link.Impairment.Effect;
import io.clusterecho.media.zone.Placement.Distance;
import io.clusterecho.media.zone.Placement.Distances;

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
    private final List<InetAddress> members;
    /** For frames without a distance. */
    private final DelayLine near;
    /** Frames that later ones overtake. */
    private final DelayLine overtaken;
    /** For frames from a distance, by sender; null for one without a distance, and for the driver's own address. */
    private final Map<InetAddress, DelayLine> distant = new HashMap<>();
    private final DelayLine ofClients;
    private final DelayLine[] lines;
    private final boolean isAnyDistant;
    private AtomicCounter lossCounter;
    private AtomicCounter overflowCounter;
    private Impairment impairment = Impairment.NONE;
    private SplittableRandom random = new SplittableRandom(0);
    private long taken = NONE;
    private boolean isSendImpaired;
    private boolean isReceiveImpaired;

    /**
     * No impairment yet. Each line has room for a number of frames and for bytes of these, both a power of two.
     *
     * @param distances of others, null for none.
     */
    LinkSide(
        final LinkFile file,
        final LinkFile.Side side,
        final List<InetAddress> members,
        final int slotCount,
        final int capacityBytes,
        final Distances distances)
    {
        this.file = file;
        this.side = side;
        this.members = members;
        near = null == file ? null : new DelayLine(Distance.NONE, slotCount, capacityBytes, 0);
        overtaken = null == file ? null : new DelayLine(Distance.NONE, slotCount / 4, capacityBytes / 4, 0);
        if (null != distances)
        {
            distant.put(distances.own(), null);
            distances.members().forEach((address, distance) ->
                distant.put(address, line(distance, slotCount, capacityBytes, address.hashCode())));
        }
        ofClients = null == distances ? null : line(distances.clients(), slotCount, capacityBytes, 0);
        lines = Stream.concat(distant.values().stream(), Stream.of(near, overtaken, ofClients)).filter(Objects::nonNull)
            .toArray(DelayLine[]::new);
        isAnyDistant = Stream.of(lines).anyMatch((line) -> near != line && overtaken != line);
    }

    private static DelayLine line(final Distance distance, final int slotCount, final int capacityBytes, final long seed)
    {
        return Distance.NONE.equals(distance) ? null : new DelayLine(distance, slotCount, capacityBytes, seed);
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
        }
        for (final DelayLine line : lines)
        {
            if (!line.isEmpty())
            {
                line.release(System.nanoTime());
            }
        }
    }

    /** Whether a frame, to a destination or null for several members, must not be sent. */
    boolean isUnsent(final InetSocketAddress destination)
    {
        return isSendImpaired && isOf(destination) && isDrawn(Effect.LOSS_PPM);
    }

    /** Whether a frame that was held must be dropped, because its sender has been cut off meanwhile. */
    boolean isUnheard(final InetSocketAddress source)
    {
        return isReceiveImpaired && impairment.isCut() && isOf(source);
    }

    /** Whether a frame that arrived must not be received now: it is held until its receiver gets it, or lost. */
    boolean isTaken(
        final DelayLine.Receiver receiver,
        final UnsafeBuffer buffer,
        final int lengthBytes,
        final InetSocketAddress source,
        final int transportIndex)
    {
        final DelayLine ofSource = isAnyDistant ? distant.getOrDefault(source.getAddress(), ofClients) : null;
        final boolean isImpaired = isReceiveImpaired && isOf(source);
        if (null == ofSource && !isImpaired)
        {
            return false;
        }
        if (isImpaired && isDrawn(Effect.LOSS_PPM))
        {
            return true;
        }
        if (null != ofSource && ofSource.isLost())
        {
            lossCounter.incrementRelease();
            return true;
        }

        final boolean isDoubled = isImpaired && isDrawn(Effect.DUPLICATE_PPM);
        final boolean isOvertaken = isImpaired && isDrawn(Effect.REORDER_PPM);
        final boolean isDelayed = isOvertaken || isImpaired && impairment.effect().isDelay();
        if (null == ofSource && !isDoubled && !isDelayed)
        {
            return false;
        }

        final DelayLine line = null == ofSource ? near : ofSource;
        final long sentNs = System.nanoTime() + (isImpaired ? drawnDelayNs() : 0);
        if (isDoubled)
        {
            line.add(receiver, buffer, lengthBytes, source, transportIndex, sentNs);
        }
        if (null == ofSource && !isDelayed)
        {
            return false;
        }

        final boolean isHeld = isOvertaken ?
            overtaken.add(
                receiver, buffer, lengthBytes, source, transportIndex, sentNs + line.delayNs() + Impairment.OVERTAKING_NS) :
            line.add(receiver, buffer, lengthBytes, source, transportIndex, sentNs);
        // Without space it is lost, as in a router.
        if (!isHeld && !isDelayed)
        {
            overflowCounter.incrementRelease();
        }
        return true;
    }

    boolean isHolding()
    {
        for (final DelayLine line : lines)
        {
            if (!line.isEmpty())
            {
                return true;
            }
        }
        return false;
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
        isSendImpaired = next.amount() > 0 && next.direction().isSend();
        isReceiveImpaired = next.amount() > 0 && next.direction().isReceive();
        taken = request;
        file.take(side, request);
    }

    private boolean isOf(final InetSocketAddress other)
    {
        return switch (impairment.scope())
        {
            case ALL -> true;
            case MEMBER -> null != other && impairment.memberId() < members.size() &&
                members.get(impairment.memberId()).equals(other.getAddress());
            case CLIENTS -> null != other && !members.contains(other.getAddress());
        };
    }

    private boolean isDrawn(final Effect effect)
    {
        return effect == impairment.effect() && random.nextInt(Impairment.ALL_PPM) < impairment.amount();
    }

    private long drawnDelayNs()
    {
        return switch (impairment.effect())
        {
            case DELAY_NS -> impairment.amount();
            case JITTER_NS -> random.nextLong(impairment.amount() + 1);
            default -> 0;
        };
    }
}
