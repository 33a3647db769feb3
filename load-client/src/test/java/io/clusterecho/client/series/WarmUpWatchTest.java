package io.clusterecho.client.series;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.SplittableRandom;

import io.clusterecho.client.load.Delivery;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.reporting.measurement.Counts;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.RunPhase;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.reporting.results.WarmUpEnd;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class WarmUpWatchTest
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long RATE = 100;

    private final SplittableRandom random = new SplittableRandom(7);
    private double compilationMs;
    private int warmUpEnds;

    @Test
    void shouldEndASteadyWarmUpOnce()
    {
        final WarmUpWatch watch = watch(0);
        for (int i = 0; i < 12; i++)
        {
            watch.onInterval(interval(i, RunPhase.WARM_UP, false));
            assertThat(warmUpEnds).isEqualTo(i < 9 ? 0 : 1);
        }
        watch.onInterval(interval(12, RunPhase.MEASURE, false));
        assertThat(watch.end(plan(6_000, 2_000), plan(1_001, 2_000), 2_000))
            .isEqualTo(new WarmUpEnd(1_001 * SECOND_NS / RATE, 60 * SECOND_NS, WarmUpEnd.Cause.steady, null));
    }

    @Test
    void shouldNotEndASteadyWarmUpBeforeItsShortestLength()
    {
        final WarmUpWatch watch = watch(20 * SECOND_NS);
        for (int i = 0; i < 21; i++)
        {
            watch.onInterval(interval(i, RunPhase.WARM_UP, false));
            assertThat(warmUpEnds).isEqualTo(i < 19 ? 0 : 1);
        }
    }

    @Test
    void shouldReportWhatWasNotSteadyAtTheBound()
    {
        compilationMs = 400;
        final WarmUpWatch watch = watch(0);
        for (int i = 0; i < 60; i++)
        {
            watch.onInterval(interval(i, RunPhase.WARM_UP, false));
        }
        assertThat(warmUpEnds).isZero();
        final WarmUpEnd end = watch.end(plan(6_000, 2_000), plan(6_000, 2_000), 2_000);
        assertThat(end.endedBy()).isEqualTo(WarmUpEnd.Cause.bound);
        assertThat(end.unsteady()).isEqualTo("a process compiled for 400 ms/s in its last 5 intervals");
        assertThat(watch.end(plan(6_000, 2_000), plan(6_000, 2_000), 0).endedBy())
            .isEqualTo(WarmUpEnd.Cause.request);
    }

    private WarmUpWatch watch(final long shortestNs)
    {
        return new WarmUpWatch(shortestNs, () -> compilationMs, () -> warmUpEnds++);
    }

    private static LoadPlan plan(final long warmUpCount, final long measuredCount)
    {
        return new LoadPlan(
            RATE, 64, warmUpCount, measuredCount, 1, SECOND_NS, SECOND_NS, 1_024, Delivery.AT_MOST_ONCE);
    }

    /** An interval of a second with 100 response times around 500 us, measured or not. */
    private RunInterval interval(final int number, final RunPhase phase, final boolean isLast)
    {
        final Histogram times = TimeRecorder.newHistogram();
        for (int i = 0; i < RATE; i++)
        {
            times.recordValue(450_000 + random.nextLong(100_000));
        }
        final Histogram none = TimeRecorder.newHistogram();
        final boolean isWarmUp = RunPhase.WARM_UP == phase;
        return new RunInterval(
            phase, isLast, 0, number * SECOND_NS, (number + 1) * SECOND_NS, isWarmUp ? 0 : SECOND_NS, RATE, 0, new Counts(),
            new Counts(), new Histograms(Map.of(Time.RESPONSE, isWarmUp ? none : times)), isWarmUp ? times : none, none);
    }
}
