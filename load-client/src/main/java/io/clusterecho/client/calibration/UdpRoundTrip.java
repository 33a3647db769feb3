package io.clusterecho.client.calibration;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.load.LoadExecution;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.load.LoadResult;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.client.transport.udp.EchoProcess;
import io.clusterecho.client.transport.udp.UdpTransport;
import io.clusterecho.reporting.measurement.LoadMeasurement;
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
 * @param measurement         like that of a run: response time, service time, send delay and accounts.
 * @param quietResponseTimeNs lowest median of the response times in any 0.1 s interval, in ns.
 * @param quietServiceTimeNs  lowest median of the service times in any 0.1 s interval, in ns.
 */
public record UdpRoundTrip(
    String idle, LoadMeasurement measurement, Verdict verdict, long quietResponseTimeNs, long quietServiceTimeNs)
{
    private static final long CONNECT_TIMEOUT_NS = 5_000_000_000L;
    private static final long INTERVAL_NS = 100_000_000L;

    /**
     * Measure with an echo process that is started and stopped here.
     *
     * @param plan  of the load: one session, at most once.
     * @param begun receives the run before it begins, so that another thread can end it.
     * @throws io.clusterecho.client.transport.NotConnectedException if the echo cannot be reached.
     */
    public static UdpRoundTrip measure(final LoadPlan plan, final Idle idle, final Consumer<LoadExecution> begun)
    {
        final QuietestStretch quietest = new QuietestStretch();
        try (EchoProcess echo = EchoProcess.start(idle);
            LoadExecution execution = new LoadExecution(
                plan, new ConstantSchedule(plan.ratePerSecond()), ThreadLocalRandom.current().nextLong(Long.MAX_VALUE),
                new Sessions(null).add(
                    new UdpTransport(echo.port(), plan.messages().maxLengthBytes(), SystemNanoClock.INSTANCE),
                    CONNECT_TIMEOUT_NS),
                SystemNanoClock.INSTANCE, idle.strategy(), AgentThreads.anywhere()))
        {
            execution.add(quietest);
            begun.accept(execution);
            final LoadResult result = execution.execute(INTERVAL_NS);
            final LoadMeasurement measurement = result.measurement();
            return new UdpRoundTrip(
                idle.strategyName(), measurement,
                Verdict.of(RunEvidence.of(measurement, plan.ratePerSecond()).with(result.problems())),
                quietest.responseTimeNs(Percentile.P50.of(measurement.times().of(Time.RESPONSE))),
                quietest.serviceTimeNs(Percentile.P50.of(measurement.times().of(Time.SERVICE))));
        }
    }
}
