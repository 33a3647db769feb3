package io.clusterecho.control.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.platform.WaitClock;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;

class DeadlineTest
{
    private static final long MS = 1_000_000L;

    /** Advances while somebody waits. Starts so late that it overflows. */
    private static final class ManualClock implements WaitClock
    {
        private final List<Long> waitsNs = new ArrayList<>();
        private long nowNs = Long.MAX_VALUE - 70 * MS;

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
            nowNs += maxNs;
        }
    }

    private final ManualClock clock = new ManualClock();
    private int lookCount;

    @Test
    void shouldBeOverFromItsTimeOn()
    {
        final Deadline deadline = Deadline.in(120 * MS, clock);

        assertThat(deadline.remainingNs()).isEqualTo(120 * MS);
        clock.nowNs += 120 * MS - 1;
        assertThat(deadline.remainingNs()).isEqualTo(1);
        assertThat(deadline.isOver()).isFalse();
        clock.nowNs++;
        assertThat(deadline.isOver()).isTrue();
        clock.nowNs += MS;
        assertThat(deadline.remainingNs()).isZero();
        assertThat(Deadline.in(0, clock).isOver()).isTrue();
    }

    @Test
    void shouldLookTwentyTimesASecondAndOnceMoreAtTheEnd()
    {
        assertThat(Deadline.in(120 * MS, clock).await(this::look)).isFalse();

        assertThat(clock.waitsNs).containsExactly(50 * MS, 50 * MS, 20 * MS);
        assertThat(lookCount).isEqualTo(5);
    }

    @Test
    void shouldWaitNoLongerThanUntilTheConditionIsTrue()
    {
        assertThat(Deadline.in(120 * MS, clock).await(() -> !clock.waitsNs.isEmpty())).isTrue();
        assertThat(clock.waitsNs).containsExactly(50 * MS);
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
        assertThat(clock.waitsNs).isEmpty();
    }

    @Test
    void shouldTakeTheEarlierOfTwo()
    {
        final Deadline deadline = Deadline.in(120 * MS, clock);
        clock.nowNs += 20 * MS;

        assertThat(deadline.atMostIn(30 * MS).remainingNs()).isEqualTo(30 * MS);
        assertThat(deadline.atMostIn(300 * MS).remainingNs()).isEqualTo(100 * MS);
        clock.nowNs += 200 * MS;
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
