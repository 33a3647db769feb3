package io.clusterecho.peers.session;

import java.nio.ByteBuffer;

import io.clusterecho.client.transport.ResponseHandler;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RecordDescriptor;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * Hands replies from a library's threads to the thread that polls, with the time at which the library handed them over. It is
 * bounded and allocated once. A library's thread that finds it full waits, which the library turns into back pressure on
 * its connection; how often that happened is counted.
 * <pre>
 *   record   | receive time (8 bytes) | message ... |
 * </pre>
 * Any thread may put; one thread drains.
 */
public final class ReplyQueue
{
    private static final int TYPE_ID = 1;
    private static final int TIME_LENGTH = Long.BYTES;
    private static final int SPARE_COUNT = 2;
    private static final int MIN_CAPACITY = 1 << 16;
    private static final int MAX_CAPACITY = 1 << 26;
    private static final int MAX_WANTED_COUNT = 1 << 13;

    private final ManyToOneRingBuffer ring;
    private final int recordLength;
    private final MessageHandler reader = this::onRecord;
    private volatile boolean isClosed;
    private volatile long fullCount;
    private ResponseHandler handler;

    /**
     * An empty queue.
     *
     * @param maxLength   in bytes of a message.
     * @param wantedCount of messages that should fit at once; it has room for some at least, and for fewer where they are long.
     */
    public ReplyQueue(final int maxLength, final int wantedCount)
    {
        recordLength =
            BitUtil.align(RecordDescriptor.HEADER_LENGTH + TIME_LENGTH + maxLength, RecordDescriptor.ALIGNMENT);
        final long wanted = (long)recordLength * (Math.min(wantedCount, MAX_WANTED_COUNT) + SPARE_COUNT);
        // A record may be an eighth of the ring at the most.
        final int capacity = BitUtil.findNextPositivePowerOfTwo(
            (int)Math.max(Math.min(MAX_CAPACITY, Math.max(MIN_CAPACITY, wanted)), 16L * recordLength));
        ring = new ManyToOneRingBuffer(
            new UnsafeBuffer(ByteBuffer.allocateDirect(capacity + RingBufferDescriptor.TRAILER_LENGTH)));
    }

    /**
     * Messages of the greatest length that fit at once.
     *
     * @return the count; a few are kept free, for what is lost at the end of the ring where a message does not fit.
     */
    public int capacity()
    {
        return ring.capacity() / recordLength - SPARE_COUNT;
    }

    /**
     * Put a message that the library has just handed over; waits while the queue is full.
     *
     * @param message       which holds it.
     * @param offset        in bytes at which it begins.
     * @param length        in bytes.
     * @param receiveTimeNs {@link System#nanoTime()} at which the library handed it over.
     */
    public void put(final DirectBuffer message, final int offset, final int length, final long receiveTimeNs)
    {
        final int index = claim(length);
        if (index > 0)
        {
            final MutableDirectBuffer buffer = ring.buffer();
            buffer.putLong(index, receiveTimeNs);
            buffer.putBytes(index + TIME_LENGTH, message, offset, length);
            ring.commit(index);
        }
    }

    /**
     * Put a message that the library has just handed over; waits while the queue is full.
     *
     * @param message       which holds it from its position to its limit; left as it is.
     * @param receiveTimeNs {@link System#nanoTime()} at which the library handed it over.
     */
    public void put(final ByteBuffer message, final long receiveTimeNs)
    {
        final int length = message.remaining();
        final int index = claim(length);
        if (index > 0)
        {
            final MutableDirectBuffer buffer = ring.buffer();
            buffer.putLong(index, receiveTimeNs);
            buffer.putBytes(index + TIME_LENGTH, message, message.position(), length);
            ring.commit(index);
        }
    }

    /**
     * Take what has been put.
     *
     * @param responseHandler called for each message.
     * @param limit           of messages to take.
     * @return number of messages taken.
     */
    public int drain(final ResponseHandler responseHandler, final int limit)
    {
        handler = responseHandler;
        return ring.read(reader, limit);
    }

    /**
     * Times at which a thread had to wait because the queue was full.
     *
     * @return the count; for any thread.
     */
    public long fullCount()
    {
        return fullCount;
    }

    /**
     * Let go of threads that wait, and keep nothing that comes from now on; for any thread.
     */
    public void close()
    {
        isClosed = true;
    }

    private int claim(final int length)
    {
        int index = ring.tryClaim(TYPE_ID, TIME_LENGTH + length);
        if (index < 0)
        {
            onFull();
            while (index < 0 && !isClosed)
            {
                Thread.yield();
                index = ring.tryClaim(TYPE_ID, TIME_LENGTH + length);
            }
        }

        return index;
    }

    private synchronized void onFull()
    {
        fullCount++;
    }

    private void onRecord(final int typeId, final MutableDirectBuffer buffer, final int index, final int length)
    {
        handler.onResponse(buffer, index + TIME_LENGTH, length - TIME_LENGTH, buffer.getLong(index));
    }
}
