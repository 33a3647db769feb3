package io.clusterecho.media.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;

import com.sun.management.ThreadMXBean;

import io.clusterecho.media.zone.Placement.Distance;
import io.clusterecho.media.zone.Placement.Distances;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.Test;

class DelayLineTest
{
    private static final int SLOT_COUNT = 64;
    private static final int CAPACITY_BYTES = 64 * 64;
    private static final long DELAY_NS = 1_000;
    private static final Distance FAR = new Distance(DELAY_NS, 0, 0);
    private static final InetSocketAddress SOURCE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000);

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[CAPACITY_BYTES]);
    private final Queue<Long> sent = new ArrayDeque<>();
    private int receivedCount;

    @Test
    void shouldHoldAFrameUntilItIsDueAndNoLonger()
    {
        final DelayLine line = new DelayLine(FAR, SLOT_COUNT, CAPACITY_BYTES, 1);
        assertThat(line.isEmpty()).isTrue();
        add(line, 32, 5_000);
        line.release(5_999);
        assertThat(receivedCount).isZero();
        assertThat(line.isEmpty()).isFalse();
        line.release(6_000);
        assertThat(receivedCount).isEqualTo(1);
        assertThat(line.isEmpty()).isTrue();
    }

    @Test
    void shouldKeepOrderAndContentWhileItsRingsTurnOver()
    {
        final DelayLine line = new DelayLine(new Distance(DELAY_NS, DELAY_NS, 0), SLOT_COUNT, CAPACITY_BYTES, 1);
        final Random random = new Random(7);
        int addedCount = 0;
        int refusedCount = 0;
        long nowNs = Long.MAX_VALUE - 50_000;
        for (int i = 0; i < 20_000; i++)
        {
            nowNs += random.nextInt(60);
            if (add(line, 16 + random.nextInt(700), nowNs))
            {
                addedCount++;
            }
            else
            {
                refusedCount++;
            }
            line.release(nowNs);
        }
        line.release(nowNs + 2 * DELAY_NS);

        assertThat(receivedCount).isEqualTo(addedCount);
        // Both happened often, so the rings were full and wrapped.
        assertThat(addedCount).isGreaterThan(2_000);
        assertThat(refusedCount).isGreaterThan(2_000);
        assertThat(line.isEmpty()).isTrue();
    }

    @Test
    void shouldRefuseMoreFramesThanItHasSlots()
    {
        final DelayLine line = new DelayLine(FAR, SLOT_COUNT, 2 * CAPACITY_BYTES, 1);
        for (int i = 0; i < SLOT_COUNT; i++)
        {
            assertThat(add(line, 16, 0)).isTrue();
        }
        assertThat(add(line, 16, 0)).isFalse();
        line.release(DELAY_NS);
        assertThat(add(line, 16, DELAY_NS)).isTrue();
    }

    @Test
    void shouldRejectAFrameLongerThanItsBuffer()
    {
        assertThat(add(new DelayLine(FAR, SLOT_COUNT, 1024, 1), 1025, 0)).isFalse();
    }

    @Test
    void shouldSpreadJitterOverItsRange()
    {
        final Distance distance = new Distance(DELAY_NS, 10_000, 0);
        final int count = 2_000;
        int earlyCount = 0;
        final DelayLine line = new DelayLine(distance, SLOT_COUNT, CAPACITY_BYTES, 3);
        for (int i = 0; i < count; i++)
        {
            final long nowNs = i * 100_000L;
            add(line, 16, nowNs);
            line.release(nowNs + DELAY_NS - 1);
            assertThat(line.isEmpty()).isFalse();
            line.release(nowNs + DELAY_NS + 5_000);
            earlyCount += line.isEmpty() ? 1 : 0;
            line.release(nowNs + DELAY_NS + 10_000);
            assertThat(line.isEmpty()).isTrue();
        }
        assertThat(earlyCount).isBetween(count * 45 / 100, count * 55 / 100);
    }

    @Test
    void shouldLoseTheConfiguredShare()
    {
        final DelayLine line = new DelayLine(new Distance(0, 0, 0.1), SLOT_COUNT, CAPACITY_BYTES, 5);
        int lostCount = 0;
        for (int i = 0; i < 10_000; i++)
        {
            lostCount += line.isLost() ? 1 : 0;
        }
        assertThat(lostCount).isBetween(900, 1_100);
    }

    @Test
    void shouldCountLostFramesAndThoseWithoutSpace()
    {
        final InetAddress near = InetAddress.getLoopbackAddress();
        final LinkSide side = new LinkSide(
            null, LinkFile.Side.RECEIVER, List.of(), 2, 1024,
            new Distances(null, Map.of(near, new Distance(1L << 40, 0, 0)), new Distance(0, 0, 0.5)));
        final CountersManager counters = new CountersManager(
            new UnsafeBuffer(ByteBuffer.allocateDirect(8 * CountersReader.METADATA_LENGTH)),
            new UnsafeBuffer(ByteBuffer.allocateDirect(8 * CountersReader.COUNTER_LENGTH)));
        side.allocateCounters(counters);
        for (int i = 0; i < 5; i++)
        {
            assertThat(side.isTaken(this::onDue, buffer, 64, SOURCE, 0)).isTrue();
        }
        assertThat(counters.getCounterValue(0)).isZero();
        assertThat(counters.getCounterValue(1)).isEqualTo(3);

        final InetSocketAddress client = new InetSocketAddress("127.0.0.9", 40_000);
        for (int i = 0; i < 100; i++)
        {
            side.isTaken(this::ignore, buffer, 64, client, 0);
            side.onDutyCycle();
        }
        assertThat(counters.getCounterValue(0)).isBetween(30L, 70L);
        assertThat(counters.getCounterValue(1)).isEqualTo(3);
    }

    @Test
    void shouldAllocateNothingForAFrame()
    {
        final DelayLine line = new DelayLine(new Distance(DELAY_NS, 500, 0.01), SLOT_COUNT, CAPACITY_BYTES, 1);
        final DelayLine.Receiver receiver = this::ignore;
        turnOver(line, receiver, 50_000);
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long id = Thread.currentThread().getId();
        threads.getThreadAllocatedBytes(id);
        final long beforeBytes = threads.getThreadAllocatedBytes(id);
        turnOver(line, receiver, 50_000);
        assertThat(threads.getThreadAllocatedBytes(id) - beforeBytes).isLessThan(10_000);
    }

    private void turnOver(final DelayLine line, final DelayLine.Receiver receiver, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            if (!line.isLost())
            {
                line.add(receiver, buffer, 288, SOURCE, 0, i * 200L);
            }
            line.release(i * 200L);
        }
    }

    private boolean add(final DelayLine line, final int lengthBytes, final long nowNs)
    {
        final long number = sent.size() + (long)receivedCount;
        buffer.putLong(0, number);
        buffer.putLong(lengthBytes - Long.BYTES, ~number);
        final boolean isAdded = line.add(this::onDue, buffer, lengthBytes, SOURCE, 3, nowNs);
        if (isAdded)
        {
            sent.add(number);
        }
        return isAdded;
    }

    private void onDue(
        final UnsafeBuffer frame, final int lengthBytes, final InetSocketAddress source, final int transportIndex)
    {
        receivedCount++;
        final long number = sent.remove();
        assertThat(frame.capacity()).isEqualTo(lengthBytes);
        assertThat(frame.getLong(0)).isEqualTo(number);
        assertThat(frame.getLong(lengthBytes - Long.BYTES)).isEqualTo(~number);
        assertThat(source).isSameAs(SOURCE);
        assertThat(transportIndex).isEqualTo(3);
    }

    private void ignore(
        final UnsafeBuffer frame, final int lengthBytes, final InetSocketAddress source, final int transportIndex)
    {
        assert lengthBytes > 0;
    }
}
