package io.clusterecho.client.calibration;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.load.LoadExecution;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.load.LoadResult;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.client.transport.udp.UdpEcho;
import io.clusterecho.client.transport.udp.UdpTransport;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.RunEvidence;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.threads.AgentThreads;

import org.agrona.concurrent.SystemNanoClock;

/**
 * Round trips of datagrams between this process and another on this machine, both with the same idle strategy.
 *
 * @param idle                strategy of both threads, by its name in results.
 * @param quietResponseTimeNs lowest median of the response times in any 0.1 s interval, in ns.
 * @param quietServiceTimeNs  lowest median of the service times in any 0.1 s interval, in ns.
 */
public record UdpRoundTrip(
    String idle, LoadMeasurement measurement, Verdict verdict, long quietResponseTimeNs, long quietServiceTimeNs)
{
    private static final long CONNECT_TIMEOUT_NS = 5_000_000_000L;
    private static final long INTERVAL_NS = 100_000_000L;
    private static final int LEAST_COUNT = 50;

    /**
     * The lowest medians of any interval: what a machine does without disturbance. A floor raised by someone else's load would
     * make every result look better than it is. One thread.
     */
    private static final class Quietest implements IntervalListener
    {
        private final Map<Time, Long> lowestNs = new EnumMap<>(Time.class);

        @Override
        public void onInterval(final RunInterval interval)
        {
            if (interval.times().of(Time.RESPONSE).getTotalCount() >= LEAST_COUNT)
            {
                for (final Time time : List.of(Time.RESPONSE, Time.SERVICE))
                {
                    lowestNs.merge(time, Percentile.P50.of(interval.times().of(time)), Math::min);
                }
            }
        }

        /** Lowest median of a time, or that of the whole run if every interval had too few messages for a median. */
        private long medianNs(final Time time, final LoadMeasurement measurement)
        {
            return lowestNs.getOrDefault(time, Percentile.P50.of(measurement.times().of(time)));
        }
    }

    /**
     * Measure with an echo process that is started and stopped here.
     *
     * @param count of the datagrams, of which the first quarter is warm-up.
     * @param begun receives the run before it begins, so that another thread can end it.
     * @throws io.clusterecho.client.transport.NotConnectedException if the echo cannot be reached.
     */
    public static UdpRoundTrip measure(
        final long ratePerSecond,
        final int lengthBytes,
        final long count,
        final Idle idle,
        final Consumer<LoadExecution> begun)
    {
        final LoadPlan plan = KnownEcho.plan(ratePerSecond, lengthBytes, count / 4, count - count / 4);
        final Quietest quietest = new Quietest();
        try (UdpEcho echo = UdpEcho.start(idle);
            LoadExecution execution = new LoadExecution(
                plan, new ConstantSchedule(ratePerSecond), ThreadLocalRandom.current().nextLong(Long.MAX_VALUE),
                new Sessions(null).add(
                    new UdpTransport(echo.port(), lengthBytes, SystemNanoClock.INSTANCE), CONNECT_TIMEOUT_NS),
                SystemNanoClock.INSTANCE, idle.strategy(), AgentThreads.anywhere()))
        {
            execution.add(quietest);
            begun.accept(execution);
            final LoadResult result = execution.execute(INTERVAL_NS);
            final LoadMeasurement measurement = result.measurement();
            return new UdpRoundTrip(
                idle.strategyName(), measurement,
                Verdict.of(RunEvidence.of(measurement, ratePerSecond).with(result.problems())),
                quietest.medianNs(Time.RESPONSE, measurement), quietest.medianNs(Time.SERVICE, measurement));
        }
    }
}
