package io.clusterecho.peers;

import java.nio.ByteBuffer;

import io.clusterecho.client.transport.ResponseHandler;

import org.agrona.BitUtil;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RecordDescriptor;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * Passes replies from a library's threads to the polling thread, with their receive times. Bounded, and allocated once. A
 * thread of the library waits while the queue is full, which the library turns into back pressure on its connection.
 * <pre>
 *   record   | receive time (8 bytes) | message ... |
 * </pre>
 * Any thread may put; one thread drains.
 */
final class ReplyQueue
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
    private ResponseHandler handler;

    /** An empty queue for so many messages of maximum length; fewer fit if they are long. */
    ReplyQueue(final int maxLength, final int wantedCount)
    {
        recordLength =
            BitUtil.align(RecordDescriptor.HEADER_LENGTH + TIME_LENGTH + maxLength, RecordDescriptor.ALIGNMENT);
        final long wanted = (long)recordLength * (Math.min(wantedCount, MAX_WANTED_COUNT) + SPARE_COUNT);
        // A record may be at most an eighth of the ring.
        final int capacity = BitUtil.findNextPositivePowerOfTwo(
            (int)Math.max(Math.min(MAX_CAPACITY, Math.max(MIN_CAPACITY, wanted)), 16L * recordLength));
        ring = new ManyToOneRingBuffer(
            new UnsafeBuffer(ByteBuffer.allocateDirect(capacity + RingBufferDescriptor.TRAILER_LENGTH)));
    }

    /** Number of messages of maximum length that fit, reduced by a reserve for padding at the end of the ring. */
    public int capacity()
    {
        return ring.capacity() / recordLength - SPARE_COUNT;
    }

    /**
     * Put a message that the library passed on at a {@link System#nanoTime()}: from position to limit of a buffer, which do not
     * change. Waits while the queue is full.
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

    public int drain(final ResponseHandler responseHandler, final int limit)
    {
        handler = responseHandler;
        return ring.read(reader, limit);
    }

    /** Release waiting threads and drop all later messages. Any thread. */
    public void close()
    {
        isClosed = true;
    }

    private int claim(final int length)
    {
        int index = ring.tryClaim(TYPE_ID, TIME_LENGTH + length);
        while (index < 0 && !isClosed)
        {
            Thread.yield();
            index = ring.tryClaim(TYPE_ID, TIME_LENGTH + length);
        }

        return index;
    }

    private void onRecord(final int typeId, final MutableDirectBuffer buffer, final int index, final int length)
    {
        handler.onResponse(buffer, index + TIME_LENGTH, length - TIME_LENGTH, buffer.getLong(index));
    }
}
