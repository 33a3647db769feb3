package io.clusterecho.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WaitClockTest
{
    private static final long LONG_NS = TimeUnit.MINUTES.toNanos(10);

    private final SelfAdvancingClock clock = new SelfAdvancingClock(40, () -> this.onPark.run());
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
        assertThat(clock.waitsNs()).containsExactly(100L, 60L, 20L);
        assertThat(clock.await(result, clock.nanoTime())).isFalse();
        assertThat(clock.waitsNs()).hasSize(3);
    }

    @Test
    void shouldNotWaitForAResultThatIsThere()
    {
        result.completeExceptionally(new IllegalStateException());
        assertThat(clock.await(result, clock.nanoTime() + 100)).isTrue();
        assertThat(clock.waitsNs()).isEmpty();
    }

    @Test
    void shouldEndWithTheResult()
    {
        onPark = () -> result.complete("here");
        assertThat(clock.await(result, clock.nanoTime() + 100)).isTrue();
        assertThat(clock.waitsNs()).containsExactly(100L);
    }

    @Test
    void shouldRestoreAnInterruptAfterTheWait()
    {
        Thread.currentThread().interrupt();
        onPark = () -> assertThat(clock.waitsNs().size() == 1).isEqualTo(Thread.currentThread().isInterrupted());
        assertThat(clock.await(result, clock.nanoTime() + 80)).isFalse();
        assertThat(clock.waitsNs()).containsExactly(80L, 40L);
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
