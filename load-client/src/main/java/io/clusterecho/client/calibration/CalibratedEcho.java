package io.clusterecho.client.calibration;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.load.LoadExecution;
import io.clusterecho.client.load.LoadResult;
import io.clusterecho.client.transport.MemoryTransport;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Accounts;
import io.clusterecho.reporting.results.RunEvidence;
import io.clusterecho.reporting.results.Times;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.IllegalArgument;
import io.clusterecho.settings.Quantity;
import io.clusterecho.statistics.NearestRank;
import io.clusterecho.threads.AgentThreads;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.SystemNanoClock;

/**
 * An echo of known truth as the load client measured it; part of {@code calibration.json}.
 *
 * @param errors by percentile; empty where not every message was answered.
 */
public record CalibratedEcho(
    long ratePerSecondAsked, Double ratePerSecondAchieved, long delayNs, long stallNs,
    @JsonUnwrapped Accounts accounts, List<PercentileError> errors, Times responseTimeNs, Times serviceTimeNs,
    Times sendDelayNs, Times clientStallNs, @JsonIgnore Histogram responseTimes, @JsonIgnore Verdict verdict)
{
    /**
     * A reported percentile compared with the true one.
     *
     * @param trueNs       known before the measurement, in ns.
     * @param errorNs      reported - true, in ns.
     * @param errorPercent the error in percent of the true value, with three decimals.
     * @param resolutionNs width of the histogram's bucket at the true value, in ns: an error below it is none.
     */
    public record PercentileError(
        String percentile, long trueNs, long reportedNs, long errorNs, double errorPercent, long resolutionNs)
    {
        private static final double PERCENT = 100;

        /**
         * Compare all percentiles of a result.
         *
         * @param trueNs   true times of the same messages in ns, in ascending order.
         * @throws IllegalArgumentException if there are not as many of the one as of the other.
         */
        public static List<PercentileError> of(final Histogram reported, final long[] trueNs)
        {
            IllegalArgument.throwIf(
                0 == trueNs.length || reported.getTotalCount() != trueNs.length,
                "expected reported times=" + trueNs.length + " and at least 1, actual=" + reported.getTotalCount());

            final List<PercentileError> errors = new ArrayList<>();
            for (final Percentile percentile : Percentile.values())
            {
                final long valueNs = trueNs[NearestRank.index(trueNs.length, percentile.percent())];
                final long errorNs = percentile.of(reported) - valueNs;
                errors.add(new PercentileError(
                    percentile.label(), valueNs, percentile.of(reported), errorNs,
                    Documents.rounded(PERCENT * errorNs / Math.max(1, valueNs), 3),
                    reported.sizeOfEquivalentValueRange(valueNs)));
            }
            return errors;
        }
    }

    private static final long INTERVAL_NS = 1_000_000_000L;
    /** For the collection of garbage before a load, and for the threads of the client to start. */
    private static final long LEAD_NS = 300_000_000L;

    /** Measure on the real clock as a run does, which is handed out before it begins so that another thread can end it. */
    public static CalibratedEcho measure(final KnownEcho echo, final Idle idle, final Consumer<LoadExecution> begun)
    {
        final MemoryTransport transport = echo.transport(SystemNanoClock.INSTANCE, LEAD_NS);
        try (LoadExecution execution = new LoadExecution(
            echo.plan(), echo.schedule(), ThreadLocalRandom.current().nextLong(Long.MAX_VALUE),
            new Sessions(null).add(transport, LEAD_NS), SystemNanoClock.INSTANCE, idle.strategy(), AgentThreads.anywhere()))
        {
            begun.accept(execution);
            execution.start(INTERVAL_NS, () -> transport.connectTimeNs() + LEAD_NS);
            final LoadResult result = execution.awaitEnd();
            return of(echo, result.measurement(), Verdict.of(
                RunEvidence.of(result.measurement(), echo.ratePerSecond()).with(result.problems())));
        }
    }

    private static CalibratedEcho of(final KnownEcho echo, final LoadMeasurement measurement, final Verdict verdict)
    {
        final LoadOutcome outcome = measurement.outcome();
        final Histogram responseTimes = measurement.times().of(Time.RESPONSE);
        final List<PercentileError> errors =
            responseTimes.getTotalCount() == echo.measuredCount() && 0 == outcome.lost() ?
            PercentileError.of(responseTimes, echo.trueTimesNs()) : List.of();
        final List<String> reasons = new ArrayList<>(verdict.reasons());
        // No lateness of a client explains that.
        errors.stream().filter((error) -> error.errorNs() < 0).forEach((error) -> reasons.add(
            error.percentile() + " is reported " + Quantity.formatNs(-error.errorNs()) + " lower than the true " +
            Quantity.formatNs(error.trueNs())));
        return new CalibratedEcho(
            echo.ratePerSecond(), Documents.rounded(outcome.ratePerSecondAchieved(), 2), echo.delayNs(), echo.stallNs(),
            Accounts.of(outcome.counts()), errors, Times.of(responseTimes), Times.of(measurement.times().of(Time.SERVICE)),
            Times.of(measurement.times().of(Time.SEND_DELAY)), Times.of(measurement.times().of(Time.STALL)), responseTimes,
            new Verdict(reasons, verdict.warnings(), ""));
    }

    String name()
    {
        return Quantity.formatNs(delayNs) + (stallNs > 0 ? ", stall of " + Quantity.formatNs(stallNs) : "");
    }
}
