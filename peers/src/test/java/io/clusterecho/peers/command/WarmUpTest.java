package io.clusterecho.peers.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterecho.client.load.LoopWarmUp;
import io.clusterecho.client.load.WarmUpTime;
import io.clusterecho.reporting.results.WarmUpEnd;

import org.junit.jupiter.api.Test;

class WarmUpTest
{
    private static final long SECOND_NS = 1_000_000_000L;

    @Test
    void shouldLastForATime()
    {
        final LoopWarmUp warmUp = LoopWarmUp.of(WarmUpTime.parse("2s"));
        assertThat(warmUp.isOver(-5, 0)).isFalse();
        assertThat(warmUp.isOver(2 * SECOND_NS - 6, 100)).isFalse();
        assertThat(warmUp.isOver(2 * SECOND_NS - 5, 100)).isTrue();
        assertThat(warmUp.end()).isNull();
        assertThat(warmUp.text()).isEmpty();
    }

    @Test
    void shouldBeOverAtOnceIfItHasNoLength()
    {
        assertThat(LoopWarmUp.of(WarmUpTime.parse("0s")).isOver(7, 0)).isTrue();
    }

    @Test
    void shouldNotBeTooShortToTell()
    {
        assertThatThrownBy(() -> LoopWarmUp.of(WarmUpTime.parse("auto:10s"))).isInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith("a bound above 10.0 s");
        assertThat(Peers.execute("calls", "--transport", "aeron-rpc", "--warm-up", "auto:10s")).isEqualTo(2);
        assertThat(Peers.execute("calls", "--transport", "aeron-rpc", "--warm-up", "soon")).isEqualTo(2);
    }

    @Test
    void shouldSayHowItEnded()
    {
        final LoopWarmUp warmUp = LoopWarmUp.of(WarmUpTime.parse("auto:12s"));
        long count = 0;
        for (int second = 0; second <= 12; second++)
        {
            warmUp.isOver(second * SECOND_NS, count);
            // Faster and faster.
            count += 1_000L << second;
        }
        assertThat(warmUp.isOver(13 * SECOND_NS, count)).isTrue();
        assertThat(warmUp.end().endedBy()).isEqualTo(WarmUpEnd.Cause.bound);
        assertThat(warmUp.text()).isEqualTo("; warm-up of 12.0 s, to its bound: not steady (at most 12.0 s)");
    }
}
