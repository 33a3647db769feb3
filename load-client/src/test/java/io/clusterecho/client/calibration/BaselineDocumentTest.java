package io.clusterecho.client.calibration;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.clusterecho.client.series.FakeRuns;
import io.clusterecho.host.DiskPlace;
import io.clusterecho.host.SyncTimes;
import io.clusterecho.reporting.report.DocumentedResult;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.RunEvidence;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.testing.GoldenFile;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** The document of a baseline stays as it was published. */
class BaselineDocumentTest
{
    private static final long RATE = 1_000;

    @Test
    void shouldHoldAllThatWasMeasured() throws IOException
    {
        GoldenFile.checkDocument(getClass(), "baseline.json", text(Baseline.result(
            description(), 288, RATE, List.of(roundTrip("busyspin", 0), roundTrip("sleeping", 5)),
            new SyncTimes(new DiskPlace("/data", "/dev/sda1", "ext4"), times(200_000), times(300_000)), false)));
    }

    @Test
    void shouldLeaveOutWhatWasNotMeasured() throws IOException
    {
        GoldenFile.checkDocument(getClass(), "baseline-interrupted.json", text(Baseline.result(
            description(), 288, RATE, List.of(), null, true)));
    }

    private static String text(final DocumentedResult baseline)
    {
        return Documents.text(baseline.document().apply(baseline.judge().apply(List.of()), "results/baseline"));
    }

    private static RunDescription description()
    {
        return new RunDescription(
            "baseline", Instant.parse("2026-11-21T09:13:36Z"), "java -jar load-client.jar baseline",
            new TreeMap<>(Map.of("size", "288", "rate", "1000")), Map.of(), "none", "none emulated", 0);
    }

    private static UdpRoundTrip roundTrip(final String idle, final long lost)
    {
        final LoadMeasurement measurement = FakeRuns.measurement(lost, RATE);
        return UdpRoundTrip.of(
            idle, measurement, Verdict.of(RunEvidence.of(measurement, RATE)), 8_000 + lost, 6_000 + lost);
    }

    private static Histogram times(final long timeNs)
    {
        final Histogram histogram = TimeRecorder.newHistogram();
        histogram.recordValueWithCount(timeNs, 100);
        histogram.recordValue(10 * timeNs);
        return histogram;
    }
}
