package io.clusterecho.media.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

class SocketIdleStrategyTest
{
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(30);

    private final List<Integer> waits = new ArrayList<>();
    private boolean isDueSoon;
    private int looksUntilReadable = Integer.MAX_VALUE;
    private final SocketIdleStrategy idleStrategy = new SocketIdleStrategy(this::await, () -> isDueSoon);

    @Test
    void shouldNotWaitAfterWork()
    {
        idleStrategy.idle(1);

        assertThat(waits).isEmpty();
    }

    @Test
    void shouldLookBetweenYieldsSoonAfterWork()
    {
        looksUntilReadable = 3;
        afterWork();

        assertThat(waits).containsOnly(0).hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void shouldReturnForARoundAlthoughNothingIsReadable()
    {
        afterWork();

        assertThat(waits).isNotEmpty().containsOnly(0);
    }

    @Test
    void shouldWaitForADatagramWhenNothingWasFoundForLong()
    {
        afterWork();
        final long beginNs = System.nanoTime();
        while (!waits.contains(1))
        {
            idleStrategy.idle(0);
            assertThat(System.nanoTime() - beginNs).isLessThan(DEADLINE_NS);
        }
        idleStrategy.idle(0);

        assertThat(waits.get(waits.size() - 1)).isOne();
    }

    @Test
    void shouldNotWaitForADatagramWhileAFrameIsHeld()
    {
        isDueSoon = true;
        afterWork();
        idleStrategy.idle(0);

        assertThat(waits).isEmpty();
    }

    private void afterWork()
    {
        idleStrategy.idle(1);
        idleStrategy.idle(0);
    }

    private boolean await(final int timeoutMs)
    {
        waits.add(timeoutMs);
        return waits.size() >= looksUntilReadable;
    }
}
