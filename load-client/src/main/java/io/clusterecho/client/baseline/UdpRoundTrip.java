package io.clusterecho.client.baseline;

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
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.RunEvidence;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.threads.AgentThreads;

import org.agrona.concurrent.SystemNanoClock;

/**
 * Round trips of datagrams between this process and another one of this machine, both waiting in the same way.
 *
 * @param idle                strategy of both threads, as results name it.
 * @param measurement         as of any run: response, service and send delay, and the accounts.
 * @param verdict             on it.
 * @param quietResponseTimeNs lowest median of the response times in a tenth of a second, in ns.
 * @param quietServiceTimeNs  lowest median of the service times in a tenth of a second, in ns.
 */
public record UdpRoundTrip(
    String idle, LoadMeasurement measurement, Verdict verdict, long quietResponseTimeNs, long quietServiceTimeNs)
{
    private static final long CONNECT_TIMEOUT_NS = 5_000_000_000L;
    private static final long INTERVAL_NS = 100_000_000L;

    /**
     * Measure, with an echo that is started for that and stopped after it.
     *
     * @param plan  of the load, one session, at most once.
     * @param idle  what both threads do while there is nothing to do.
     * @param begun told of the run before it begins, so that another thread can end it.
     * @return what was measured.
     * @throws io.clusterecho.client.transport.NotConnectedException if there is no echo.
     */
    public static UdpRoundTrip measure(final LoadPlan plan, final Idle idle, final Consumer<LoadExecution> begun)
    {
        final QuietestStretch quietest = new QuietestStretch();
        try (EchoProcess echo = EchoProcess.start(idle);
            LoadExecution execution = new LoadExecution(
                plan, new ConstantSchedule(plan.ratePerSecond()), ThreadLocalRandom.current().nextLong(Long.MAX_VALUE),
                new Sessions(null).add(
                    new UdpTransport(echo.port(), plan.lengthBytes(), SystemNanoClock.INSTANCE), CONNECT_TIMEOUT_NS),
                SystemNanoClock.INSTANCE, idle.strategy(), AgentThreads.anywhere()))
        {
            execution.add(quietest);
            begun.accept(execution);
            final LoadResult result = execution.execute(INTERVAL_NS);
            final LoadMeasurement measurement = result.measurement();
            return new UdpRoundTrip(
                idle.strategyName(), measurement,
                Verdict.of(RunEvidence.of(measurement, plan.ratePerSecond()).with(result.problems())),
                quietest.responseTimeNs(Percentile.P50.of(measurement.responseTimes())),
                quietest.serviceTimeNs(Percentile.P50.of(measurement.serviceTimes())));
        }
    }
}
