package io.clusterecho.media.link;

import java.net.InetSocketAddress;
import java.util.SplittableRandom;

import org.agrona.concurrent.UnsafeBuffer;

import io.clusterecho.media.zone.Distance;

/**
 * Applies an {@link Impairment} to the frames of one agent of the driver, sender or receiver. Used by the thread of this agent
 * alone; allocates when an impairment begins, and not for a frame.
 */
final class LinkImpairment
{
    private final LinkFile file;
    private final LinkFile.Side side;
    private final MemberAddresses members;
    private final DelayLine line;
    /** Frames that later ones overtake. */
    private final DelayLine overtaken;
    private Impairment impairment = Impairment.NONE;
    private SplittableRandom random = new SplittableRandom(0);

    /**
     * No impairment yet.
     *
     * @param slotCount     maximum number of frames held, a power of two.
     * @param capacityBytes of these frames, a multiple of 256.
     */
    LinkImpairment(
        final LinkFile file,
        final LinkFile.Side side,
        final MemberAddresses members,
        final int slotCount,
        final int capacityBytes)
    {
        this.file = file;
        this.side = side;
        this.members = members;
        line = new DelayLine(Distance.NONE, slotCount, capacityBytes, 0);
        overtaken = new DelayLine(Distance.NONE, slotCount / 4, capacityBytes / 4, 0);
    }

    void begin(final Impairment next)
    {
        impairment = next;
        random = new SplittableRandom(next.seed() ^ side.ordinal());
    }

    /** Whether a frame to some address, or to several members at once (null), must not be sent; counts it if so. */
    boolean isUnsent(final InetSocketAddress destination)
    {
        final boolean isUnsent = isOf(destination) && isDrawn(impairment.lossPpm());
        if (isUnsent)
        {
            file.increment(side, LinkFile.Count.UNSENT);
        }

        return isUnsent;
    }

    /** Whether all frames from an address are lost; counts one if so. */
    boolean isUnheard(final InetSocketAddress source)
    {
        final boolean isUnheard = impairment.losesAll() && isOf(source);
        if (isUnheard)
        {
            file.increment(side, LinkFile.Count.UNHEARD);
        }

        return isUnheard;
    }

    /**
     * Process a frame that has just arrived.
     *
     * @return true if it is held or lost, false if it is to be received at once.
     */
    boolean isTaken(
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
        if (isOvertaken)
        {
            count(overtaken.addUntil(
                receiver, buffer, lengthBytes, source, transportIndex, dueNs + Impairment.OVERTAKING_NS));
        }
        else if (isDelayed)
        {
            count(line.addUntil(receiver, buffer, lengthBytes, source, transportIndex, dueNs));
        }

        return isOvertaken || isDelayed;
    }

    /** Deliver frames that are due. Called in each duty cycle. */
    void release()
    {
        if (isHolding())
        {
            final long nowNs = System.nanoTime();
            line.release(nowNs);
            overtaken.release(nowNs);
        }
    }

    boolean isHolding()
    {
        return !line.isEmpty() || !overtaken.isEmpty();
    }

    private void count(final boolean isHeld)
    {
        if (isHeld)
        {
            file.increment(side, LinkFile.Count.DELAYED);
        }
        else
        {
            // No space: lost, as in a router.
            file.increment(side, LinkFile.Count.UNHEARD);
        }
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
