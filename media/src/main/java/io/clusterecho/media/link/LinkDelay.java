package io.clusterecho.media.link;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;

import io.clusterecho.media.zone.Distance;
import io.clusterecho.media.zone.Distances;

/**
 * Holds the frames that one agent of the driver, sender or receiver, has received, for the duration of their delay. Used by the
 * thread of this agent alone, except {@link #allocateCounters(CountersManager)}.
 */
final class LinkDelay
{
    private final InetAddress own;
    private final InetAddress[] addresses;
    /** Null for no distance. */
    private final DelayLine[] lines;
    private final DelayLine clientLine;
    private final DelayLine[] usedLines;
    private AtomicCounter lossCounter;
    private AtomicCounter overflowCounter;

    /** Lines for a number of frames per sender, a power of two, and for bytes of these, a multiple of 64. */
    LinkDelay(final Distances distances, final int slotCount, final int capacityBytes)
    {
        own = distances.own();
        final List<Map.Entry<InetAddress, Distance>> members = List.copyOf(distances.members().entrySet());
        addresses = members.stream().map(Map.Entry::getKey).toArray(InetAddress[]::new);
        lines = members.stream()
            .map((member) -> line(member.getValue(), slotCount, capacityBytes, member.getKey().hashCode()))
            .toArray(DelayLine[]::new);
        clientLine = line(distances.clients(), slotCount, capacityBytes, 0);
        usedLines = Stream.concat(Stream.of(lines), Stream.ofNullable(clientLine)).filter(Objects::nonNull)
            .toArray(DelayLine[]::new);
    }

    private static DelayLine line(final Distance distance, final int slotCount, final int capacityBytes, final long seed)
    {
        return distance.isNone() ? null : new DelayLine(distance, slotCount, capacityBytes, seed);
    }

    /**
     * Allocate the driver's counters of lost frames. Called on its conductor's thread, before the agent gets its first endpoint;
     * does nothing the second time.
     */
    void allocateCounters(final CountersManager manager)
    {
        if (null == lossCounter)
        {
            lossCounter = manager.newCounter(LinkFilter.LOSS_LABEL, LinkFilter.LOSS_TYPE_ID);
            overflowCounter = manager.newCounter(LinkFilter.OVERFLOW_LABEL, LinkFilter.OVERFLOW_TYPE_ID);
        }
    }

    /** Whether a frame that has just arrived is held or lost, and not to be received at once. */
    boolean isTaken(
        final DelayLine.Receiver receiver,
        final UnsafeBuffer buffer,
        final int lengthBytes,
        final InetSocketAddress source,
        final int transportIndex)
    {
        final DelayLine line = line(source.getAddress());
        if (null == line)
        {
            return false;
        }

        if (line.isLost())
        {
            lossCounter.incrementRelease();
        }
        else if (!line.add(receiver, buffer, lengthBytes, source, transportIndex, System.nanoTime()))
        {
            overflowCounter.incrementRelease();
        }

        return true;
    }

    /** Deliver frames that are due. Called in each duty cycle. */
    void release()
    {
        for (final DelayLine line : usedLines)
        {
            if (!line.isEmpty())
            {
                line.release(System.nanoTime());
            }
        }
    }

    boolean isHolding()
    {
        for (final DelayLine line : usedLines)
        {
            if (!line.isEmpty())
            {
                return true;
            }
        }

        return false;
    }

    private DelayLine line(final InetAddress address)
    {
        for (int i = 0; i < addresses.length; i++)
        {
            if (addresses[i].equals(address))
            {
                return lines[i];
            }
        }

        return address.equals(own) ? null : clientLine;
    }
}
