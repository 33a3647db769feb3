package io.clusterecho.platform;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class StallMeterTest
{
    @Test
    void shouldCountTheSleepsOfATimeAndStop()
    {
        final Histogram total = StallMeter.newHistogram();
        final Histogram interval = StallMeter.newHistogram();
        try (StallMeter meter = StallMeter.of(StallMeter.CLIENT_SLEEP_NS).start())
        {
            final long deadlineNs = System.nanoTime() + 30_000_000_000L;
            while (total.getTotalCount() < 100)
            {
                assertThat(System.nanoTime() - deadlineNs).as("waited for 100 sleeps").isNegative();
                Thread.onSpinWait();
                meter.interval(interval);
                total.add(interval);
            }
        }

        assertThat(total.getTotalCount()).isGreaterThanOrEqualTo(100);
        assertThat(Thread.getAllStackTraces().keySet()).noneMatch((thread) -> "stall-meter".equals(thread.getName()));
    }

    @Test
    void shouldCountWhatExceedsTheShortestSleepAndSleepsThatEndedEarlyAsNone()
    {
        final Histogram interval = StallMeter.newHistogram();
        final StallMeter meter = new StallMeter(1_000_000);
        meter.onSlept(1_060_000);
        meter.onSlept(5);
        meter.onSlept(1_060_000);
        meter.onSlept(1_400_000);
        meter.interval(interval);

        assertThat(interval.getTotalCount()).isEqualTo(4);
        assertThat(interval.getMaxValue()).isBetween(337_000L, 343_000L);
        assertThat(interval.getCountBetweenValues(0, 0)).isEqualTo(3);
    }
}
