package io.clusterecho.client.calibration;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.clusterecho.platform.StallMeter;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.HdrHistogram.Histogram;

/**
 * Durations of sleeps on an otherwise idle machine.
 *
 * @param overshoot of 1 ms sleeps beyond the shortest of them, in ns: what a stall meter with such sleeps measures.
 * @param shortest  durations of the shortest possible sleep, in ns: what a thread waits that sleeps when idle.
 */
public record SleepTimes(Histogram overshoot, Histogram shortest)
{
    private static final long SLEEP_NS = 1_000_000L;
    private static final long CHECK_NS = 20_000_000L;

    /**
     * Measure both.
     *
     * @param isEnded checked at least every 20 ms.
     */
    public static SleepTimes measure(final long timeNs, final BooleanSupplier isEnded)
    {
        final Histogram overshoot = StallMeter.newHistogram();
        try (StallMeter meter = new StallMeter(SLEEP_NS).start())
        {
            final long endNs = System.nanoTime() + timeNs;
            while (System.nanoTime() - endNs < 0 && !isEnded.getAsBoolean())
            {
                LockSupport.parkNanos(CHECK_NS);
            }
            meter.interval(overshoot);
        }

        final Histogram shortest = TimeRecorder.newHistogram();
        final long endNs = System.nanoTime() + timeNs;
        while (System.nanoTime() - endNs < 0 && !isEnded.getAsBoolean())
        {
            final long beginNs = System.nanoTime();
            LockSupport.parkNanos(1);
            shortest.recordValue(Math.min(TimeRecorder.MAX_TIME_NS, System.nanoTime() - beginNs));
        }

        return new SleepTimes(overshoot, shortest);
    }
}
