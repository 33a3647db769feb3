package io.clusterecho.client.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterecho.reporting.results.WarmUpEnd;

import org.junit.jupiter.api.Test;

class LoopWarmUpTest
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long BOUND_NS = 60 * SECOND_NS;

    private long compilersNs;
    private long nowNs = 77;
    private long count;
    private LoopWarmUp warmUp = new LoopWarmUp(new WarmUpTime(true, 0, BOUND_NS), () -> compilersNs);

    @Test
    void shouldEndWhenThePaceIsSteady()
    {
        assertThat(secondsOf(1_000, 0, 9)).isFalse();
        assertThat(secondsOf(1_000, 0, 1)).isTrue();
        assertThat(warmUp.end()).isEqualTo(new WarmUpEnd(10 * SECOND_NS, BOUND_NS, WarmUpEnd.Cause.steady, null));
    }

    @Test
    void shouldLastForItsShortestLength()
    {
        warmUp = new LoopWarmUp(new WarmUpTime(true, 40 * SECOND_NS, BOUND_NS), () -> compilersNs);
        assertThat(secondsOf(1_000, 0, 39)).isFalse();
        assertThat(secondsOf(1_000, 0, 1)).isTrue();
        assertThat(warmUp.end()).isEqualTo(new WarmUpEnd(40 * SECOND_NS, BOUND_NS, WarmUpEnd.Cause.steady, null));
    }

    @Test
    void shouldGoOnWhileThePaceRises()
    {
        for (int second = 1; second <= 30; second++)
        {
            assertThat(secondsOf(1_000 + 100 * second, 0, 1)).as("after %d s", second).isFalse();
        }
        assertThat(secondsOf(4_000, 0, 29)).isTrue();
    }

    @Test
    void shouldGoOnWhileACompilationIsUnderWay()
    {
        assertThat(secondsOf(1_000, 600_000_000, 20)).isFalse();
        assertThat(secondsOf(1_000, 0, 4)).isFalse();
        assertThat(secondsOf(1_000, 0, 1)).isTrue();
    }

    @Test
    void shouldEndAtTheBoundAndSayWhatWasNotSteady()
    {
        assertThat(secondsOf(1_000, SECOND_NS / 2, 59)).isFalse();
        assertThat(secondsOf(1_000, SECOND_NS / 2, 1)).isTrue();
        assertThat(warmUp.end()).isEqualTo(new WarmUpEnd(
            BOUND_NS, BOUND_NS, WarmUpEnd.Cause.bound, "a process compiled for 500 ms/s in its last 5 intervals"));
        assertThat(secondsOf(1_000, 0, 10)).isTrue();
        assertThat(warmUp.end().endedBy()).isEqualTo(WarmUpEnd.Cause.bound);
    }

    @Test
    void shouldNotTakeSilenceForASteadyState()
    {
        assertThat(secondsOf(0, 0, 59)).isFalse();
        assertThat(secondsOf(0, 0, 1)).isTrue();
        assertThat(warmUp.end().unsteady()).isEqualTo("0 intervals with replies in 60 s are too few");
    }

    @Test
    void shouldSayThatItWasEndedEarly()
    {
        secondsOf(1_000, 0, 5);
        assertThat(warmUp.end().endedBy()).isEqualTo(WarmUpEnd.Cause.request);
        assertThat(warmUp.end().lengthNs()).isEqualTo(5 * SECOND_NS);
    }

    private boolean secondsOf(final long perSecond, final long compiledNs, final int seconds)
    {
        boolean isOver = warmUp.isOver(nowNs, count);
        for (int i = 0; i < 10 * seconds; i++)
        {
            nowNs += SECOND_NS / 10;
            count += perSecond / 10;
            compilersNs += compiledNs / 10;
            isOver = warmUp.isOver(nowNs, count);
        }
        return isOver;
    }
}
