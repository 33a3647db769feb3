package io.clusterecho.client.pingpong;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.Provenance;
import io.clusterecho.reporting.results.Percentiles;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.measurement.ClosedLoopResult;
import io.clusterecho.reporting.results.CalibrationNote;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.reporting.results.WarmUpEnd;

import org.HdrHistogram.Histogram;

/** A closed loop: {@code ping-pong.json} in its folder, and the output of {@code ping-pong --json}. */
record PingPongDocument(
    String format, String label, String start, StoredVerdict verdict, boolean good,
    @JsonInclude(JsonInclude.Include.ALWAYS) String failure,
    int concurrency, Integer mostInFlight, WarmUpEnd warmUp, long count, long lost, long damaged,
    long durationNs, double ratePerSecond, RoundTrips roundTripNs, CalibrationNote calibration,
    @JsonUnwrapped Provenance provenance)
{
    /** Round trips in ns, with a further percentile that public reports use. */
    record RoundTrips(@JsonUnwrapped Percentiles percentiles, long min, @JsonProperty("p99.5") Long p99_5)
    {
        static RoundTrips of(final Histogram times)
        {
            final boolean isEmpty = 0 == times.getTotalCount();
            return new RoundTrips(
                Percentiles.of(times), isEmpty ? 0 : times.getMinValue(),
                Percentile.isStated(99.5, times.getTotalCount()) ? times.getValueAtPercentile(99.5) : null);
        }
    }

    /**
     * Document of a loop.
     *
     * @param concurrency messages in flight at once.
     */
    static PingPongDocument of(
        final RunDescription description,
        final int concurrency,
        final ClosedLoopResult result,
        final Verdict verdict,
        final String resultFolder)
    {
        return new PingPongDocument(
            DocumentKind.PING_PONG.format(), description.label(), description.start().toString(), StoredVerdict.of(verdict),
            verdict.isGood(), verdict.isGood() ? null : String.join("; ", verdict.allReasons()), concurrency,
            result.mostInFlight(), description.warmUp(), result.count(), result.lost(), result.damaged(),
            result.durationNs(), Documents.rounded(result.ratePerSecond(), 1), RoundTrips.of(result.roundTrips()),
            description.calibration(), Provenance.of(description, resultFolder));
    }
}
