package io.clusterecho.control.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterecho.platform.SelfAdvancingClock;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;

class DeadlineTest
{
    private static final long MS = 1_000_000L;

    private final SelfAdvancingClock clock = new SelfAdvancingClock(Long.MAX_VALUE, () -> {});
    private int lookCount;

    @Test
    void shouldBeOverFromItsTimeOn()
    {
        final Deadline deadline = Deadline.in(120 * MS, clock);

        assertThat(deadline.remainingNs()).isEqualTo(120 * MS);
        clock.advance(120 * MS - 1);
        assertThat(deadline.remainingNs()).isEqualTo(1);
        assertThat(deadline.isOver()).isFalse();
        clock.advance(1);
        assertThat(deadline.isOver()).isTrue();
        clock.advance(MS);
        assertThat(deadline.remainingNs()).isZero();
        assertThat(Deadline.in(0, clock).isOver()).isTrue();
    }

    @Test
    void shouldLookTwentyTimesASecondAndOnceMoreAtTheEnd()
    {
        assertThat(Deadline.in(120 * MS, clock).await(this::look)).isFalse();

        assertThat(clock.waitsNs()).containsExactly(50 * MS, 50 * MS, 20 * MS);
        assertThat(lookCount).isEqualTo(5);
    }

    @Test
    void shouldWaitNoLongerThanUntilTheConditionIsTrue()
    {
        assertThat(Deadline.in(120 * MS, clock).await(() -> !clock.waitsNs().isEmpty())).isTrue();
        assertThat(clock.waitsNs()).containsExactly(50 * MS);
        assertThat(Deadline.in(0, clock).await(() -> true)).isTrue();
    }

    @Test
    void shouldTakeAConditionThatComesTrueAtTheVeryEnd()
    {
        final Deadline deadline = Deadline.in(10 * MS, clock);

        assertThat(deadline.await(() -> ++lookCount == 3)).isTrue();
        assertThat(deadline.isOver()).isTrue();
    }

    @Test
    void shouldNotWaitOnAThreadThatIsInterrupted()
    {
        Thread.currentThread().interrupt();
        final boolean isTrue = Deadline.in(120 * MS, clock).await(this::look);

        assertThat(Thread.interrupted()).as("still interrupted").isTrue();
        assertThat(isTrue).isFalse();
        assertThat(clock.waitsNs()).isEmpty();
    }

    @Test
    void shouldTakeTheEarlierOfTwo()
    {
        final Deadline deadline = Deadline.in(120 * MS, clock);
        clock.advance(20 * MS);

        assertThat(deadline.atMostIn(30 * MS).remainingNs()).isEqualTo(30 * MS);
        assertThat(deadline.atMostIn(300 * MS).remainingNs()).isEqualTo(100 * MS);
        clock.advance(200 * MS);
        assertThat(deadline.atMostIn(30 * MS).isOver()).isTrue();
    }

    @Test
    void shouldRejectATextThatIsNotADuration()
    {
        assertThatThrownBy(() -> Deadline.parse("--deadline", "soon")).isInstanceOf(InvalidSettingException.class)
            .hasMessageStartingWith("--deadline=soon is not allowed: ");
        assertThat(Deadline.parse("--deadline", "0s").isOver()).isTrue();
    }

    private boolean look()
    {
        lookCount++;
        return false;
    }
}
