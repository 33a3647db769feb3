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
import io.clusterecho.reporting.results.PrecisionGoal;
import io.clusterecho.reporting.results.WindowEnd;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class PrecisionWatchTest
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long RATE = 100;

    private final SplittableRandom random = new SplittableRandom(7);
    private int scheduleEnds;

    @Test
    void shouldEndTheScheduleWhenThePercentileIsKnown()
    {
        final PrecisionWatch watch = watch("p50+-5%");
        watch.onInterval(interval(0, RunPhase.WARM_UP, false));
        for (int i = 1; i <= 40; i++)
        {
            watch.onInterval(interval(i, RunPhase.MEASURE, false));
            assertThat(scheduleEnds).isEqualTo(i < 30 ? 0 : 1);
        }
        final WindowEnd until = watch.end(plan(100, 60_000), 3_002);
        assertThat(until.endedBy()).isEqualTo(WindowEnd.Cause.precise);
        assertThat(until.lengthNs()).isEqualTo(3_002 * SECOND_NS / RATE);
        assertThat(until.halfWidthShare()).isLessThan(0.05);
        assertThat(until.lookCount()).isEqualTo(1);
    }

    @Test
    void shouldDistinguishTheBoundFromARequest()
    {
        final PrecisionWatch watch = watch("p99.99+-0.1%");
        for (int i = 0; i < 40; i++)
        {
            watch.onInterval(interval(i, RunPhase.MEASURE, 39 == i));
        }
        assertThat(scheduleEnds).isZero();
        final WindowEnd bound = watch.end(plan(0, 4_000), 4_000);
        assertThat(bound.endedBy()).isEqualTo(WindowEnd.Cause.bound);
        assertThat(bound.halfWidthShare()).isNull();
        assertThat(bound.missing()).endsWith(": a longer --duration");
        assertThat(watch.end(plan(0, 4_000), 3_000).endedBy()).isEqualTo(WindowEnd.Cause.request);
    }

    @Test
    void shouldNotEndWhatIsAlreadyDraining()
    {
        final PrecisionWatch watch = watch("p50+-50%");
        for (int i = 0; i < 29; i++)
        {
            watch.onInterval(interval(i, RunPhase.MEASURE, false));
        }
        watch.onInterval(interval(29, RunPhase.DRAIN, true));
        assertThat(scheduleEnds).isZero();
        assertThat(watch.end(plan(0, 2_900), 2_900).endedBy()).isEqualTo(WindowEnd.Cause.bound);
    }

    private PrecisionWatch watch(final String goal)
    {
        return new PrecisionWatch(PrecisionGoal.parse(goal), () -> scheduleEnds++);
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
