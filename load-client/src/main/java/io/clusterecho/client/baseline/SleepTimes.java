package io.clusterecho.client.baseline;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.clusterecho.platform.StallMeter;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.HdrHistogram.Histogram;

/**
 * How long sleeps last on a machine that has nothing else to do for this process.
 *
 * @param overshoot of sleeps of 1 ms beyond the shortest of them, in ns: what the stall meter sees.
 * @param shortest  length of the shortest sleep that can be asked for, in ns: what a thread that sleeps when idle waits for.
 */
public record SleepTimes(Histogram overshoot, Histogram shortest)
{
    private static final long CHECK_NS = 20_000_000L;

    /**
     * Measure both.
     *
     * @param timeNs  for each of the two in ns.
     * @param isEnded asked every 20 ms or sooner.
     */
    public static SleepTimes measure(final long timeNs, final BooleanSupplier isEnded)
    {
        final Histogram overshoot = StallMeter.newHistogram();
        try (StallMeter meter = new StallMeter().start())
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
