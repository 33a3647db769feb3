package io.clusterecho.reporting.confidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Warm-ups whose course is known, in intervals of a second, with a scatter of 3% of p50 and 15% of p99. */
class SteadyRuleTest
{
    private static final int BOUND = 60;
    private static final int DRAW_COUNT = 500;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final double P50_SCATTER = 0.03;
    private static final double P99_SCATTER = 0.15;

    private String unsteady = "";

    @Test
    void shouldEndAtTheMinimumWhereAllIsSteadyFromTheStart()
    {
        int atOnceCount = 0;
        for (int seed = 0; seed < DRAW_COUNT; seed++)
        {
            final int end = end(seed, (second) -> 500, (second) -> 0);
            assertThat(end).isBetween(10, 40);
            atOnceCount += 10 == end ? 1 : 0;
        }
        assertThat(atOnceCount).isGreaterThan(DRAW_COUNT * 8 / 10);
    }

    @Test
    void shouldEndSoonAfterAFallOfTwentySeconds()
    {
        for (int seed = 0; seed < DRAW_COUNT; seed++)
        {
            // By 5% a second.
            final int end = end(seed, (second) -> 500 * Math.pow(1.05, Math.max(0, 20 - second)), (second) -> 0);
            assertThat(end).isBetween(20, 45);
        }
    }

    @Test
    void shouldEndSoonAfterACliff()
    {
        for (int seed = 0; seed < DRAW_COUNT; seed++)
        {
            // Two intervals before it are outliers, more of them are a trend.
            assertThat(end(seed, (second) -> second < 3 ? 2_000 : 500, (second) -> 0)).isBetween(10, 30);
            assertThat(end(seed, (second) -> second < 15 ? 5_000 * Math.pow(0.9, second) : 500, (second) -> 0))
                .isBetween(16, 45);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = { 1.02, 0.98 })
    void shouldMeetItsBoundWhereNothingIsEverSteady(final double factor)
    {
        int boundCount = 0;
        for (int seed = 0; seed < DRAW_COUNT; seed++)
        {
            boundCount += BOUND == end(seed, (second) -> 500 * Math.pow(factor, second), (second) -> 0) ? 1 : 0;
        }
        // In ten intervals a drift of 2% an interval, 18% in all, is seldom hidden by the scatter.
        assertThat(boundCount).isGreaterThan(DRAW_COUNT * 9 / 10);
        end(1, (second) -> 500 * Math.pow(factor, second), (second) -> 0);
        assertThat(unsteady).matches("p50 (rose|fell) by \\d+%.* in its last 30 intervals");
    }

    @Test
    void shouldWaitForTheCompilers()
    {
        assertThat(end(1, (second) -> 500, (second) -> second < 25 ? 0.3 : 0.02)).isBetween(27, 31);
        assertThat(end(1, (second) -> 500, (second) -> 0.3)).isEqualTo(BOUND);
        assertThat(unsteady).isEqualTo("a process compiled for 300 ms/s in its last 5 intervals");
    }

    @Test
    void shouldNotEndBeforeTenSecondsOrTenIntervalsWithReplies()
    {
        final SteadyRule rule = new SteadyRule(0);
        for (int i = 1; i <= 99; i++)
        {
            assertThat(rule.unsteadyWith(new SteadyRule.Interval(500, 900, 0), i * SECOND_NS / 10)).isNotEmpty();
        }
        assertThat(rule.unsteadyWith(new SteadyRule.Interval(500, 900, 0), 10 * SECOND_NS)).isEmpty();

        final SteadyRule silent = new SteadyRule(0);
        for (int i = 1; i <= 30; i++)
        {
            unsteady = silent.unsteadyWith(i > 21 ? new SteadyRule.Interval(500, 900, 0) : null, i * SECOND_NS);
        }
        assertThat(unsteady).isEqualTo("9 intervals with replies in 30 s are too few");
    }

    @Test
    void shouldNotEndBeforeTheShortestWarmUp()
    {
        final SteadyRule rule = new SteadyRule(60 * SECOND_NS);
        for (int second = 1; second < 60; second++)
        {
            unsteady = rule.unsteadyWith(new SteadyRule.Interval(500, 900, 0), second * SECOND_NS);
            assertThat(unsteady).as("after %d s", second).isNotEmpty();
        }
        assertThat(unsteady).isEqualTo("59 s of at least 60 s");
        assertThat(rule.unsteadyWith(new SteadyRule.Interval(500, 900, 0), 60 * SECOND_NS)).isEmpty();
    }

    private int end(final int seed, final IntToDoubleFunction p50Us, final IntToDoubleFunction compilation)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final SteadyRule rule = new SteadyRule(0);
        for (int second = 0; second < BOUND; second++)
        {
            final double p50 = p50Us.applyAsDouble(second);
            unsteady = rule.unsteadyWith(new SteadyRule.Interval(
                p50 * (1 + P50_SCATTER * random.nextGaussian()), 3 * p50 * Math.exp(P99_SCATTER * random.nextGaussian()),
                compilation.applyAsDouble(second)), (second + 1) * SECOND_NS);
            if (unsteady.isEmpty())
            {
                return second + 1;
            }
        }
        return BOUND;
    }
}
