package io.clusterecho.client.transport;

import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.codecs.EchoResponseDecoder;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An echo in memory with a known delay, to test the load client: the reply to a message sent at t is available at t + delay, or
 * at the end of the stall if that falls into one. Has a bounded capacity and answers in order.
 * <p>
 * With a delay of 0 and no stall it answers at once and shows the client ceiling; the arrival of a reply is not known then.
 */
public class MemoryTransport implements Transport
{
    /** Maximum number of messages in flight. */
    public static final int CAPACITY = 1 << 16;

    private static final int MIN_CAPACITY = 256;

    private final NanoClock clock;
    private final long delayNs;
    private final long stallBeginNs;
    private final long stallNs;
    private final int slotLength;
    private final int slotMask;
    private final UnsafeBuffer slots;
    private final int[] lengths;
    private final long[] dueTimesNs;
    private long connectTimeNs;
    private long head;
    private long tail;

    /**
     * An echo in memory, with a stall that begins some ns after {@link #connect(long)}, or none if its length is 0. Several
     * sessions share the messages in flight, so as many sessions need no more memory than one.
     */
    public MemoryTransport(
        final NanoClock clock, final int maxLength, final long delayNs, final long stallBeginNs, final long stallNs,
        final int sessionCount)
    {
        this.clock = clock;
        this.delayNs = delayNs;
        this.stallBeginNs = stallBeginNs;
        this.stallNs = stallNs;
        slotLength = (maxLength + 63) & ~63;
        // If replies come at once, a few slots suffice and stay in the cache: 1024, or fewer of 64 MiB, but at least two.
        final int slotCount = delayNs == 0 && stallNs == 0 ?
            Math.max(2, Math.min(1024, Integer.highestOneBit((64 << 20) / slotLength))) :
            Math.max(MIN_CAPACITY, Integer.highestOneBit(CAPACITY / sessionCount));
        slots = new UnsafeBuffer(new byte[Math.multiplyExact(slotLength, slotCount)]);
        slotMask = slotCount - 1;
        lengths = new int[slotCount];
        dueTimesNs = new long[slotCount];
    }

    @Override
    public void connect(final long timeoutNs)
    {
        connectTimeNs = clock.nanoTime();
    }

    /** When the session was opened, on the clock of the caller, in ns; the stall is counted from here. 0 before that. */
    public long connectTimeNs()
    {
        return connectTimeNs;
    }

    @Override
    public SendResult trySend(final DirectBuffer message, final int offset, final int length)
    {
        if (tail - head > slotMask)
        {
            return SendResult.BACK_PRESSURED;
        }

        final int slot = (int)(tail & slotMask);
        slots.putBytes(slot * slotLength, message, offset, length);
        lengths[slot] = length;
        dueTimesNs[slot] = delayNs == 0 && stallNs == 0 ? 0 : dueTimeNs(clock.nanoTime() + delayNs);
        tail++;

        return SendResult.SENT;
    }

    @Override
    public int poll(final ResponseHandler handler, final int limit)
    {
        int count = 0;
        while (count < limit && head < tail)
        {
            final int slot = (int)(head & slotMask);
            final long nowNs = clock.nanoTime();
            if (dueTimesNs[slot] != 0 && dueTimesNs[slot] - nowNs > 0)
            {
                break;
            }

            head++;
            count++;
            EchoMessage.templateId(slots, slot * slotLength, EchoResponseDecoder.TEMPLATE_ID);
            handler.onResponse(
                slots, slot * slotLength, lengths[slot], nowNs,
                0 == dueTimesNs[slot] ? ResponseHandler.UNKNOWN_NS : dueTimesNs[slot]);
        }

        return count;
    }

    @Override
    public boolean isWithinClient()
    {
        return true;
    }

    @Override
    public void close()
    {
        head = tail;
    }

    private long dueTimeNs(final long timeNs)
    {
        final long beginNs = connectTimeNs + stallBeginNs;
        final long intoStallNs = timeNs - beginNs;
        return intoStallNs >= 0 && intoStallNs < stallNs ? beginNs + stallNs : timeNs;
    }
}
