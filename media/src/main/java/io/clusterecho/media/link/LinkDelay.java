package io.clusterecho.media.link;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;

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

    /**
     * Delay lines without frames.
     *
     * @param slotCount     maximum number of frames held per sender, a power of two.
     * @param capacityBytes of these frames, a multiple of 64.
     */
    LinkDelay(final Distances distances, final int slotCount, final int capacityBytes)
    {
        own = distances.own();
        final int count = distances.members().size();
        addresses = new InetAddress[count];
        lines = new DelayLine[count];
        final DelayLine[] used = new DelayLine[count + 1];
        int usedCount = 0;
        int index = 0;
        for (final Map.Entry<InetAddress, Distance> entry : distances.members().entrySet())
        {
            addresses[index] = entry.getKey();
            if (!entry.getValue().isNone())
            {
                lines[index] = new DelayLine(entry.getValue(), slotCount, capacityBytes, entry.getKey().hashCode());
                used[usedCount++] = lines[index];
            }
            index++;
        }
        clientLine =
            distances.clients().isNone() ? null : new DelayLine(distances.clients(), slotCount, capacityBytes, 0);
        if (null != clientLine)
        {
            used[usedCount++] = clientLine;
        }
        usedLines = new DelayLine[usedCount];
        System.arraycopy(used, 0, usedLines, 0, usedCount);
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
