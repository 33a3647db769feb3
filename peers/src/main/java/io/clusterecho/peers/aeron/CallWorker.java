package io.clusterecho.peers.aeron;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

import io.clusterecho.threads.Uninterrupted;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * A thread that answers calls from a queue of at most 1,024 messages; fewer if they are long. A call wakes it if it waits. All
 * methods are called by the server's thread.
 */
final class CallWorker implements AutoCloseable
{
    private static final int MIN_CAPACITY = 1 << 22;
    private static final int MAX_SESSIONS = 4096;
    private static final int LIMIT = 16;
    private static final int MAX_QUEUED = 1_024;
    private static final long MAX_WAIT_NS = 1_000_000;
    private static final long RETRY_NS = 1_000;

    private final OneToOneRingBuffer queue;
    private final AtomicReferenceArray<ServerSession> sessions = new AtomicReferenceArray<>(MAX_SESSIONS);
    private final ControlledMessageHandler handler = this::onCall;
    private final Thread thread = new Thread(this::run, "call-worker");
    private volatile boolean isClosed;
    private volatile boolean isWaiting;
    private volatile long turnCount;
    private volatile long takenCount;
    private long putCount;

    private CallWorker(final int maxLength)
    {
        final int capacity = Math.max(MIN_CAPACITY, BitUtil.findNextPositivePowerOfTwo(16 * (maxLength + 64)));
        queue = new OneToOneRingBuffer(
            new UnsafeBuffer(ByteBuffer.allocateDirect(capacity + RingBufferDescriptor.TRAILER_LENGTH)));
    }

    static CallWorker start(final int maxLength)
    {
        final CallWorker worker = new CallWorker(maxLength);
        worker.thread.setDaemon(true);
        worker.thread.start();
        return worker;
    }

    /** Add a session, before its first call. */
    int join(final ServerSession session)
    {
        int slot = 0;
        while (null != sessions.get(slot))
        {
            slot++;
        }
        sessions.set(slot, session);
        return slot;
    }

    /** Wait until the worker does not use a session any more. */
    void leave(final int slot)
    {
        if (slot >= 0)
        {
            sessions.set(slot, null);
            final long turn = turnCount;
            while (turnCount < turn + 2 && thread.isAlive())
            {
                Thread.yield();
            }
        }
    }

    /** Enqueue a call of a session; false if the queue is full, and the message is put again later. */
    boolean tryPut(final int slot, final DirectBuffer buffer, final int offset, final int length)
    {
        // One thread puts, one takes.
        if (putCount - takenCount >= MAX_QUEUED || !queue.write(slot + 1, buffer, offset, length))
        {
            return false;
        }

        putCount++;
        // The queue publishes with a store that a later load may overtake.
        VarHandle.fullFence();
        if (isWaiting)
        {
            LockSupport.unpark(thread);
        }
        return true;
    }

    @Override
    public void close()
    {
        isClosed = true;
        Uninterrupted.join(thread);
    }

    private void run()
    {
        long turn = 0;
        long taken = 0;
        while (!isClosed)
        {
            final int workCount = queue.controlledRead(handler, LIMIT);
            taken += workCount;
            takenCount = taken;
            turnCount = ++turn;
            if (0 == workCount)
            {
                idle();
            }
        }
    }

    /** Wait for a call; for a short time only, because calls whose reply met back pressure are tried again. */
    private void idle()
    {
        isWaiting = true;
        // After the flag was set: a call that was put before it is seen here, and one put after it unparks this thread.
        LockSupport.parkNanos(0 == queue.size() ? MAX_WAIT_NS : RETRY_NS);
        isWaiting = false;
    }

    private ControlledMessageHandler.Action onCall(
        final int typeId, final MutableDirectBuffer buffer, final int index, final int length)
    {
        final ServerSession session = sessions.get(typeId - 1);
        return null == session || session.answer(buffer, index, length) ?
            ControlledMessageHandler.Action.CONTINUE : ControlledMessageHandler.Action.ABORT;
    }
}
