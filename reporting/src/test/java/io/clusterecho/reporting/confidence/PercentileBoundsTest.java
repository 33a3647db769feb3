package io.clusterecho.reporting.confidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bounds are right as often as they claim. */
class PercentileBoundsTest
{
    private static final long SEED = 20261124;
    /** All of them with {@code -Dcoverage.draws=10000}; fewer in a build, which takes a second each. */
    private static final int DRAW_COUNT = Integer.getInteger("coverage.draws", 250);
    private static final double LEAST = 0.93;
    private static final double MOST = 0.97;

    @ParameterizedTest
    @CsvSource({
        "INDEPENDENT, 60, 50", "INDEPENDENT, 60, 90", "INDEPENDENT, 60, 99", "AUTOREGRESSIVE, 300, 50", "AUTOREGRESSIVE, 300, 90",
        "BURSTS, 200, 50", "BURSTS, 200, 90", "BURSTS, 200, 99" })
    void shouldContainThePercentileInNineteenOfTwentyRuns(
        final Series process, final int intervalCount, final double percent)
    {
        final SplittableRandom random = new SplittableRandom(SEED);
        final long truthNs = process.percentileNs(percent);
        int knownCount = 0;
        int rightCount = 0;
        for (int i = 0; i < DRAW_COUNT; i++)
        {
            final PercentileBounds bounds = PercentileBounds.of(process.draw(random, intervalCount, 50), percent);
            knownCount += bounds.isKnown() ? 1 : 0;
            rightCount += bounds.isKnown() && bounds.lowNs() <= truthNs && truthNs <= bounds.highNs() ? 1 : 0;
        }

        System.out.printf("coverage %s %d p%.0f: %.2f%% of %d in %d runs%n", process, intervalCount, percent,
            100.0 * rightCount / knownCount, knownCount, DRAW_COUNT);
        assertThat(knownCount).isGreaterThan(DRAW_COUNT * 3 / 4);
        // Three standard errors of the share itself.
        final double chance = DRAW_COUNT >= 10_000 ? 0 : 3 * Math.sqrt(0.05 * 0.95 / knownCount);
        assertThat((double)rightCount / knownCount).isBetween(LEAST - chance, Math.min(0.999, MOST + chance));
    }

    /** Processes that depend on themselves for a whole interval, of 100 messages, are harder: see ADR 35. */
    @ParameterizedTest
    @CsvSource({
        "AUTOREGRESSIVE, 2, 60, 50, 0.91", "AUTOREGRESSIVE, 2, 120, 50, 0.94", "AUTOREGRESSIVE, 2, 300, 50, 0.95",
        "AUTOREGRESSIVE, 2, 300, 90, 0.94", "BURSTS, 5, 60, 50, 0.90", "BURSTS, 5, 120, 50, 0.91", "BURSTS, 5, 300, 50, 0.94",
        "BURSTS, 5, 300, 90, 0.92" })
    void shouldContainThePercentileNearlyAsOftenWhereWholeIntervalsDepend(
        final Series process, final int factor, final int intervalCount, final double percent, final double expected)
    {
        final SplittableRandom random = new SplittableRandom(SEED);
        final long truthNs = process.percentileNs(percent);
        int knownCount = 0;
        int rightCount = 0;
        for (int i = 0; i < DRAW_COUNT / 2; i++)
        {
            final PercentileBounds bounds =
                PercentileBounds.of(process.draw(random, intervalCount, 100, 100 * factor), percent);
            knownCount += bounds.isKnown() ? 1 : 0;
            rightCount += bounds.isKnown() && bounds.lowNs() <= truthNs && truthNs <= bounds.highNs() ? 1 : 0;
        }

        System.out.printf("coverage of dependent intervals %s %d p%.0f: %.1f%% of %d in %d runs%n", process, intervalCount,
            percent, 100.0 * rightCount / knownCount, knownCount, DRAW_COUNT / 2);
        assertThat(knownCount).isGreaterThan(DRAW_COUNT / 4);
        final double chance = 3 * Math.sqrt(expected * (1 - expected) / knownCount);
        assertThat((double)rightCount / knownCount)
            .isBetween(expected - 0.01 - chance, Math.min(0.999, expected + 0.02 + chance));
    }

    @Test
    void shouldWidenWhereTimesDependOnEachOther()
    {
        final double independent = width(Series.INDEPENDENT);
        assertThat(width(Series.AUTOREGRESSIVE)).isGreaterThan(3 * independent);
    }

    private static double width(final Series process)
    {
        final PercentileBounds bounds = PercentileBounds.of(process.draw(new SplittableRandom(SEED), 300, 50), 50);
        return bounds.highNs() - bounds.lowNs();
    }

    @Test
    void shouldContainThePercentileOfTheRun()
    {
        for (int seed = 0; seed < 20; seed++)
        {
            final IntervalSeries series = Series.BURSTS.draw(new SplittableRandom(seed), 100, 100);
            final PercentileBounds bounds = PercentileBounds.of(series, 90);
            assertThat(series.whole().valueOfRank(9_000)).isBetween(bounds.lowNs(), bounds.highNs());
        }
    }

    @Test
    void shouldHaveNoneForAShortRun()
    {
        assertThat(PercentileBounds.of(Series.INDEPENDENT.draw(new SplittableRandom(SEED), 19, 1_000), 50).missing())
            .isEqualTo(
            "the measured window has 19 intervals, fewer than 20: a longer --duration or a shorter --interval");
        assertThat(PercentileBounds.of(new IntervalSeries(), 50).isKnown()).isFalse();
    }

    @Test
    void shouldHaveNoneWithFewMessagesBeyond()
    {
        final IntervalSeries series = Series.INDEPENDENT.draw(new SplittableRandom(SEED), 60, 100);
        assertThat(PercentileBounds.of(series, 99).isKnown()).isTrue();
        assertThat(PercentileBounds.of(series, 99.9).missing()).isEqualTo(
            "the messages beyond it are worth fewer than 20 independent ones: a longer --duration");
    }

    @Test
    void shouldHaveNoneAfterASingleBurst()
    {
        final IntervalSeries series = new IntervalSeries();
        for (int i = 0; i < 60; i++)
        {
            final long extraNs = i < 57 ? i % 3 : 1_000_000;
            series.add(LongStream.range(0, 100).map((time) -> 1_000 + time + extraNs).toArray(), ones(100));
        }
        assertThat(PercentileBounds.of(series, 95).missing()).startsWith("its scatter is that of fewer than 6 intervals");
    }

    @Test
    void shouldBeOneValueWhereAllTimesAreEqual()
    {
        final IntervalSeries series = new IntervalSeries();
        for (int i = 0; i < 60; i++)
        {
            series.add(new long[]{ 150_000 }, new long[]{ 100 });
        }
        assertThat(PercentileBounds.of(series, 50)).isEqualTo(new PercentileBounds(150_000, 150_000, ""));
        assertThat(PercentileBounds.of(series, 99)).isEqualTo(new PercentileBounds(150_000, 150_000, ""));
    }

    private static long[] ones(final int count)
    {
        return LongStream.generate(() -> 1).limit(count).toArray();
    }
}
