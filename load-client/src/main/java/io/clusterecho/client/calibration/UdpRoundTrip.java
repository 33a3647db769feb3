package io.clusterecho.client.calibration;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.load.LoadExecution;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.load.LoadResult;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.client.transport.udp.UdpEcho;
import io.clusterecho.client.transport.udp.UdpTransport;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Accounts;
import io.clusterecho.reporting.results.RunEvidence;
import io.clusterecho.reporting.results.Times;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.threads.AgentThreads;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Round trips of datagrams between this process and another on this machine, both with the same idle strategy; part of
 * {@code baseline.json}.
 *
 * @param idle                strategy of both threads, by its name in results.
 * @param quietResponseTimeNs lowest median of the response times in any 0.1 s interval, in ns.
 * @param quietServiceTimeNs  lowest median of the service times in any 0.1 s interval, in ns.
 */
public record UdpRoundTrip(
    String idle, @JsonUnwrapped Accounts accounts, Long duplicates, Long outOfOrder, Long corrupt, Double ratePerSecondAchieved,
    long quietResponseTimeNs, long quietServiceTimeNs, Times responseTimeNs, Times serviceTimeNs, Times sendDelayNs,
    Times stallNs, @JsonIgnore Histograms times, @JsonIgnore Verdict verdict)
{
    private static final long CONNECT_TIMEOUT_NS = 5_000_000_000L;
    private static final long INTERVAL_NS = 100_000_000L;
    private static final int LEAST_COUNT = 50;

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
        // A floor raised by someone else's load would make every result look better than it is.
        final Map<Time, Long> lowestNs = new EnumMap<>(Time.class);
        try (UdpEcho echo = UdpEcho.start(idle);
            LoadExecution execution = new LoadExecution(
                plan, new ConstantSchedule(ratePerSecond), ThreadLocalRandom.current().nextLong(Long.MAX_VALUE),
                new Sessions(null).add(
                    new UdpTransport(echo.port(), lengthBytes, SystemNanoClock.INSTANCE), CONNECT_TIMEOUT_NS),
                SystemNanoClock.INSTANCE, idle.strategy(), AgentThreads.anywhere()))
        {
            execution.add((interval) -> List.of(Time.RESPONSE, Time.SERVICE).forEach((time) ->
            {
                final Histogram times = interval.times().of(time);
                if (times.getTotalCount() >= LEAST_COUNT)
                {
                    lowestNs.merge(time, Percentile.P50.of(times), Math::min);
                }
            }));
            begun.accept(execution);
            final LoadResult result = execution.execute(INTERVAL_NS);
            final LoadMeasurement measurement = result.measurement();
            return of(
                idle.strategyName(), measurement,
                Verdict.of(RunEvidence.of(measurement, ratePerSecond).with(result.problems())),
                quietNs(Time.RESPONSE, lowestNs, measurement), quietNs(Time.SERVICE, lowestNs, measurement));
        }
    }

    public static UdpRoundTrip of(
        final String idle,
        final LoadMeasurement measurement,
        final Verdict verdict,
        final long quietResponseTimeNs,
        final long quietServiceTimeNs)
    {
        final LoadOutcome outcome = measurement.outcome();
        final Histograms times = measurement.times();
        return new UdpRoundTrip(
            idle, Accounts.of(outcome.counts()), outcome.of(Counter.DUPLICATES), outcome.of(Counter.OUT_OF_ORDER),
            outcome.of(Counter.CORRUPT), Documents.rounded(outcome.ratePerSecondAchieved(), 2), quietResponseTimeNs,
            quietServiceTimeNs, Times.of(times.of(Time.RESPONSE)), Times.of(times.of(Time.SERVICE)),
            Times.of(times.of(Time.SEND_DELAY)), Times.of(times.of(Time.STALL)), times, verdict);
    }

    /** The lowest median of any interval, or that of the whole run if every interval had too few messages for a median. */
    private static long quietNs(final Time time, final Map<Time, Long> lowestNs, final LoadMeasurement measurement)
    {
        return lowestNs.getOrDefault(time, Percentile.P50.of(measurement.times().of(time)));
    }
}
