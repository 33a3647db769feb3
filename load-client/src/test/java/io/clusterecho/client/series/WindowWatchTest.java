package io.clusterecho.client.series;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.SplittableRandom;

import io.clusterecho.client.load.Delivery;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.run.EndRules;
import io.clusterecho.reporting.measurement.Counts;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.RunPhase;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.reporting.results.PrecisionGoal;
import io.clusterecho.reporting.results.WindowEnds;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class WindowWatchTest
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long RATE = 100;

    private final SplittableRandom random = new SplittableRandom(7);
    private double compilationMs;
    private int warmUpEnds;
    private int scheduleEnds;

    @Test
    void shouldEndASteadyWarmUpOnce()
    {
        final WindowWatch watch = watch(new EndRules(true, 0, null));
        for (int i = 0; i < 12; i++)
        {
            watch.onInterval(interval(i, RunPhase.WARM_UP, false));
            assertThat(warmUpEnds).isEqualTo(i < 9 ? 0 : 1);
        }
        watch.onInterval(interval(12, RunPhase.MEASURE, false));
        assertThat(scheduleEnds).isZero();
        assertThat(watch.ends(plan(6_000, 2_000), plan(1_001, 2_000), 2_000)).isEqualTo(new WindowEnds(
            new WindowEnds.WarmUp(1_001 * SECOND_NS / RATE, 60 * SECOND_NS, WindowEnds.Cause.steady, null), null));
    }

    @Test
    void shouldNotEndASteadyWarmUpBeforeItsShortestLength()
    {
        final WindowWatch watch = watch(new EndRules(true, 20 * SECOND_NS, PrecisionGoal.parse("p50+-5%")));
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
        final WindowWatch watch = watch(new EndRules(true, 0, null));
        for (int i = 0; i < 60; i++)
        {
            watch.onInterval(interval(i, RunPhase.WARM_UP, false));
        }
        assertThat(warmUpEnds).isZero();
        final WindowEnds ends = watch.ends(plan(6_000, 2_000), plan(6_000, 2_000), 2_000);
        assertThat(ends.warmUp().endedBy()).isEqualTo(WindowEnds.Cause.bound);
        assertThat(ends.warmUp().unsteady()).isEqualTo("a process compiled for 400 ms/s in its last 5 intervals");
        assertThat(watch.ends(plan(6_000, 2_000), plan(6_000, 2_000), 0).warmUp().endedBy())
            .isEqualTo(WindowEnds.Cause.request);
    }

    @Test
    void shouldEndTheScheduleWhenThePercentileIsKnown()
    {
        final WindowWatch watch = watch(new EndRules(false, 0, PrecisionGoal.parse("p50+-5%")));
        watch.onInterval(interval(0, RunPhase.WARM_UP, false));
        for (int i = 1; i <= 40; i++)
        {
            watch.onInterval(interval(i, RunPhase.MEASURE, false));
            assertThat(scheduleEnds).isEqualTo(i < 30 ? 0 : 1);
        }
        final WindowEnds.Until until = watch.ends(plan(100, 60_000), plan(100, 60_000), 3_002).until();
        assertThat(until.endedBy()).isEqualTo(WindowEnds.Cause.precise);
        assertThat(until.lengthNs()).isEqualTo(3_002 * SECOND_NS / RATE);
        assertThat(until.halfWidthShare()).isLessThan(0.05);
        assertThat(until.lookCount()).isEqualTo(1);
        assertThat(warmUpEnds).isZero();
    }

    @Test
    void shouldDistinguishTheBoundFromARequest()
    {
        final WindowWatch watch = watch(new EndRules(false, 0, PrecisionGoal.parse("p99.99+-0.1%")));
        for (int i = 0; i < 40; i++)
        {
            watch.onInterval(interval(i, RunPhase.MEASURE, 39 == i));
        }
        assertThat(scheduleEnds).isZero();
        final WindowEnds.Until bound = watch.ends(plan(0, 4_000), plan(0, 4_000), 4_000).until();
        assertThat(bound.endedBy()).isEqualTo(WindowEnds.Cause.bound);
        assertThat(bound.halfWidthShare()).isNull();
        assertThat(bound.missing()).endsWith(": a longer --duration");
        assertThat(watch.ends(plan(0, 4_000), plan(0, 4_000), 3_000).until().endedBy()).isEqualTo(WindowEnds.Cause.request);
    }

    @Test
    void shouldNotEndWhatIsAlreadyDraining()
    {
        final WindowWatch watch = watch(new EndRules(false, 0, PrecisionGoal.parse("p50+-50%")));
        for (int i = 0; i < 29; i++)
        {
            watch.onInterval(interval(i, RunPhase.MEASURE, false));
        }
        watch.onInterval(interval(29, RunPhase.DRAIN, true));
        assertThat(scheduleEnds).isZero();
        assertThat(watch.ends(plan(0, 2_900), plan(0, 2_900), 2_900).until().endedBy()).isEqualTo(WindowEnds.Cause.bound);
    }

    private WindowWatch watch(final EndRules rules)
    {
        return new WindowWatch(rules, () -> compilationMs, () -> warmUpEnds++, () -> scheduleEnds++);
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
