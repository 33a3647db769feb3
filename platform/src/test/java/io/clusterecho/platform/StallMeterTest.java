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
        try (StallMeter meter = new StallMeter().start())
        {
            final long deadlineNs = System.nanoTime() + 30_000_000_000L;
            while (total.getTotalCount() < 100)
            {
                assertThat(System.nanoTime() - deadlineNs).as("waited for 100 sleeps of 1 ms").isNegative();
                Thread.onSpinWait();
                meter.interval(interval);
                total.add(interval);
            }
        }

        assertThat(total.getTotalCount()).isGreaterThanOrEqualTo(100);
        assertThat(Thread.getAllStackTraces().keySet()).noneMatch((thread) -> "stall-meter".equals(thread.getName()));
    }
}
