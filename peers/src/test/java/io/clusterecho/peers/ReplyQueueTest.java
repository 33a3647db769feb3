package io.clusterecho.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.clusterecho.client.transport.ResponseHandler;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A put that waits in vain would take for ever. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplyQueueTest
{
    private static final int LENGTH = 100_000;

    private final ReplyQueue queue = new ReplyQueue(LENGTH, 20);
    private final UnsafeBuffer message = new UnsafeBuffer(ByteBuffer.allocate(LENGTH));
    private final List<Long> taken = new ArrayList<>();
    private final AtomicLong putCount = new AtomicLong();
    private final ResponseHandler handler =
        (buffer, offset, length, receiveTimeNs) ->
        {
            assertThat(length).isEqualTo(LENGTH);
            assertThat(buffer.getLong(offset)).isEqualTo(receiveTimeNs);
            taken.add(receiveTimeNs);
        };

    @Test
    void shouldPassOnMessagesInOrderWithTheirTimes()
    {
        for (long i = 1; i <= 5; i++)
        {
            put(i);
        }

        assertThat(queue.drain(handler, 3)).isEqualTo(3);
        assertThat(queue.drain(handler, 3)).isEqualTo(2);
        assertThat(queue.drain(handler, 3)).isZero();
        assertThat(taken).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void shouldFitItsCapacityAtAnyPositionOfTheRing()
    {
        for (int turn = 0; turn < 50; turn++)
        {
            for (int i = 0; i < queue.capacity(); i++)
            {
                put(i);
            }
            assertThat(drainAll()).isEqualTo(queue.capacity());
            // A different position of the ring's end in each pass.
            put(0);
            assertThat(drainAll()).isEqualTo(1);
        }
    }

    @Test
    void shouldBlockPutsWhileItIsFull()
    {
        final long count = queue.capacity() * 3L;
        final CompletableFuture<Void> library = CompletableFuture.runAsync(
            () ->
            {
                for (long i = 0; i < count; i++)
                {
                    put(i);
                }
            });
        while (putCount.get() < queue.capacity())
        {
            Thread.onSpinWait();
        }
        assertThat(library).isNotDone();

        while (taken.size() < count)
        {
            queue.drain(handler, 16);
        }
        library.orTimeout(10, TimeUnit.SECONDS).join();
        for (int i = 0; i < count; i++)
        {
            assertThat(taken.get(i)).isEqualTo(i);
        }
    }

    @Test
    void shouldReleaseWaitingThreadsWhenItIsClosed() throws InterruptedException
    {
        final CompletableFuture<Void> library = CompletableFuture.runAsync(
            () ->
            {
                for (long i = 0; i < queue.capacity() * 3L; i++)
                {
                    put(i);
                }
            });
        // More than its capacity may fit.
        for (long before = -1; putCount.get() < queue.capacity() || putCount.get() > before; Thread.sleep(50))
        {
            before = putCount.get();
        }
        assertThat(library).isNotDone();
        queue.close();
        library.orTimeout(10, TimeUnit.SECONDS).join();
    }

    private int drainAll()
    {
        int total = 0;
        int count = queue.drain(handler, 16);
        while (count > 0)
        {
            total += count;
            count = queue.drain(handler, 16);
        }

        return total + drainPadding();
    }

    /** Padding at the end of the ring counts as nothing read. */
    private int drainPadding()
    {
        return queue.drain(handler, Integer.MAX_VALUE);
    }

    private void put(final long value)
    {
        message.putLong(0, value);
        queue.put(message.byteBuffer(), value);
        putCount.incrementAndGet();
    }
}
