package io.clusterecho.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WaitClockTest
{
    private static final long LONG_NS = TimeUnit.MINUTES.toNanos(10);

    /** Advances while somebody waits, each time by less than requested. Starts so late that it overflows. */
    private final class ManualClock implements WaitClock
    {
        private long nowNs = Long.MAX_VALUE - 10;

        @Override
        public long nanoTime()
        {
            return nowNs;
        }

        @Override
        public long epochNs()
        {
            return nowNs;
        }

        @Override
        public void park(final long maxNs)
        {
            waitsNs.add(maxNs);
            nowNs += Math.min(maxNs, 40);
            onPark.run();
        }
    }

    private final ManualClock clock = new ManualClock();
    private final List<Long> waitsNs = new ArrayList<>();
    private final CompletableFuture<String> result = new CompletableFuture<>();
    private Runnable onPark = () -> {};

    @AfterEach
    void clearInterrupt()
    {
        Thread.interrupted();
    }

    @Test
    void shouldWaitUntilTheDeadlineAndNoLonger()
    {
        assertThat(clock.await(result, clock.nanoTime() + 100)).isFalse();
        assertThat(waitsNs).containsExactly(100L, 60L, 20L);
        assertThat(clock.await(result, clock.nanoTime())).isFalse();
        assertThat(waitsNs).hasSize(3);
    }

    @Test
    void shouldNotWaitForAResultThatIsThere()
    {
        result.completeExceptionally(new IllegalStateException());
        assertThat(clock.await(result, clock.nanoTime() + 100)).isTrue();
        assertThat(waitsNs).isEmpty();
    }

    @Test
    void shouldEndWithTheResult()
    {
        onPark = () -> result.complete("here");
        assertThat(clock.await(result, clock.nanoTime() + 100)).isTrue();
        assertThat(waitsNs).containsExactly(100L);
    }

    @Test
    void shouldRestoreAnInterruptAfterTheWait()
    {
        Thread.currentThread().interrupt();
        onPark = () -> assertThat(waitsNs.size() == 1).isEqualTo(Thread.currentThread().isInterrupted());
        assertThat(clock.await(result, clock.nanoTime() + 80)).isFalse();
        assertThat(waitsNs).containsExactly(80L, 40L);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void shouldBeWokenByTheResultOnTheClockOfThisMachine()
    {
        CompletableFuture.runAsync(() -> result.complete("here"), (task) -> new Thread(task).start());
        assertThat(WaitClock.SYSTEM.await(result, WaitClock.SYSTEM.nanoTime() + LONG_NS)).isTrue();
    }

    @Test
    void shouldHaveTheTimeOfDay()
    {
        final long beforeMs = System.currentTimeMillis();
        final long epochMs = TimeUnit.NANOSECONDS.toMillis(WaitClock.SYSTEM.epochNs());
        assertThat(epochMs).isBetween(beforeMs, System.currentTimeMillis());
    }
}
