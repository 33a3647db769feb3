package io.clusterecho.platform;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StepWatchTest
{
    private static final long EPOCH_NS = 1_790_000_000_000_000_000L;

    private final ArrivalClock.StepWatch watch = new ArrivalClock.StepWatch();

    @Test
    void shouldKnowNothingBeforeAReading()
    {
        assertThat(watch.monotonicNs(EPOCH_NS, 5)).isEqualTo(ArrivalClock.UNKNOWN_NS);
    }

    @Test
    void shouldConvertByTheReadingThatTookLeast()
    {
        watch.onReading(1_000, EPOCH_NS + 1_400, 2_000);
        watch.onReading(3_000, EPOCH_NS + 3_050, 3_100);
        watch.onReading(5_000, EPOCH_NS + 5_900, 6_000);

        assertThat(watch.monotonicNs(EPOCH_NS + 2_500, 7_000)).isEqualTo(2_500);
    }

    @Test
    void shouldNotTakeAPreemptedReadingForAStep()
    {
        watch.onReading(1_000, EPOCH_NS + 1_050, 1_100);
        watch.onReading(2_000, EPOCH_NS + 2_010, 9_002_000);

        assertThat(watch.monotonicNs(EPOCH_NS + 8_000_000, 9_002_000)).isEqualTo(8_000_000);
    }

    @Test
    void shouldConvertNothingForASecondAfterAStepInEitherDirection()
    {
        for (final long stepNs : new long[]{ 5_000, -5_000, 3_600_000_000_000L, -3_600_000_000_000L })
        {
            final ArrivalClock.StepWatch stepped = new ArrivalClock.StepWatch();
            stepped.onReading(1_000, EPOCH_NS + 1_050, 1_100);
            stepped.onReading(9_000, EPOCH_NS + 9_050 + stepNs, 9_100);

            final long endNs = 9_100 + ArrivalClock.StepWatch.DISTRUST_NS;
            assertThat(stepped.monotonicNs(EPOCH_NS + 8_000, 9_100)).isEqualTo(ArrivalClock.UNKNOWN_NS);
            assertThat(stepped.monotonicNs(EPOCH_NS + stepNs + endNs - 10, endNs - 1)).isEqualTo(ArrivalClock.UNKNOWN_NS);
            assertThat(stepped.monotonicNs(EPOCH_NS + stepNs + endNs - 10, endNs)).isEqualTo(endNs - 10);
            // No endless distrust, also where the clock wraps.
            assertThat(stepped.monotonicNs(EPOCH_NS + stepNs + 10, endNs + Long.MAX_VALUE)).isEqualTo(10);
        }
    }
}
