package io.clusterecho.client.calibration;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.load.LoadExecution;
import io.clusterecho.client.load.LoadResult;
import io.clusterecho.client.transport.MemoryTransport;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.RunEvidence;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.Quantity;
import io.clusterecho.threads.AgentThreads;

import org.agrona.concurrent.SystemNanoClock;

/**
 * An echo of known truth as the load client measured it.
 *
 * @param errors      by percentile; empty where not every message was answered.
 */
public record CalibratedEcho(
    KnownEcho echo, LoadMeasurement measurement, List<PercentileError> errors, List<String> reasons, List<String> warnings)
{
    private static final long INTERVAL_NS = 1_000_000_000L;
    /** For the collection of garbage before a load, and for the threads of the client to start. */
    private static final long LEAD_NS = 300_000_000L;

    /**
     * Measure on the real clock, with the agent, threads and recorders of a run.
     *
     * @param begun receives the run before it begins, so that another thread can end it.
     */
    public static CalibratedEcho measure(final KnownEcho echo, final Idle idle, final Consumer<LoadExecution> begun)
    {
        final MemoryTransport transport = echo.transport(SystemNanoClock.INSTANCE, LEAD_NS);
        try (LoadExecution execution = new LoadExecution(
            echo.plan(), echo.schedule(), ThreadLocalRandom.current().nextLong(Long.MAX_VALUE),
            new Sessions(null).add(transport, LEAD_NS), SystemNanoClock.INSTANCE, idle.strategy(), AgentThreads.anywhere()))
        {
            begun.accept(execution);
            execution.start(INTERVAL_NS, () -> transport.connectTimeNs() + LEAD_NS);
            return of(echo, execution.awaitEnd());
        }
    }

    static CalibratedEcho of(final KnownEcho echo, final LoadResult result)
    {
        final LoadMeasurement measurement = result.measurement();
        final Verdict verdict =
            Verdict.of(RunEvidence.of(measurement, echo.ratePerSecond()).with(result.problems()));
        final boolean isWhole = measurement.times().of(Time.RESPONSE).getTotalCount() == echo.measuredCount() &&
            0 == measurement.outcome().lost();
        final List<PercentileError> errors =
            isWhole ? PercentileError.of(measurement.times().of(Time.RESPONSE), echo.trueTimesNs()) : List.of();
        final List<String> reasons = new ArrayList<>(verdict.reasons());
        errors.stream().filter(PercentileError::isTooLow).forEach((error) -> reasons.add(
            error.percentile() + " is reported " + Quantity.formatNs(-error.errorNs()) + " lower than the true " +
            Quantity.formatNs(error.trueNs())));
        return new CalibratedEcho(echo, measurement, errors, reasons, verdict.warnings());
    }

    String name()
    {
        return Quantity.formatNs(echo.delayNs()) +
            (echo.stallNs() > 0 ? ", stall of " + Quantity.formatNs(echo.stallNs()) : "");
    }
}
