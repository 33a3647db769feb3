package io.clusterecho.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.client.calibration.Baseline;
import io.clusterecho.client.calibration.UdpRoundTrip;
import io.clusterecho.client.series.FakeRuns;
import io.clusterecho.reporting.report.DocumentedResult;
import io.clusterecho.reporting.evidence.Disk;
import io.clusterecho.reporting.evidence.FullDisk;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.RunEvidence;
import io.clusterecho.reporting.results.Verdict;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Text, JSON and exit status of a baseline say the same. */
class BaselineDocumentsTest
{
    private static final long RATE = 1_000;

    @TempDir
    private Path path;

    @Test
    void shouldBeGoodWhenItsRoundTripsAre() throws IOException
    {
        assertSays(baseline(0, false), Disk.FILE_SYSTEM, "GOOD", ExitCode.GOOD);
        assertThat(path).isDirectoryContaining("glob:**/report.html")
            .isDirectoryContaining("glob:**/udp-busyspin-service-time.hgrm");
    }

    @Test
    void shouldFailWithARoundTripThatFailed() throws IOException
    {
        assertSays(
            baseline(5, false), Disk.FILE_SYSTEM, "FAILED", ExitCode.RUN_FAILED,
            "UDP, busyspin: 5 of 1000 messages without a reply (5 unanswered, 0 never sent)");
    }

    @Test
    void shouldBePartialWhenItWasInterrupted() throws IOException
    {
        assertSays(
            baseline(0, true), Disk.FILE_SYSTEM, "PARTIAL", ExitCode.INTERRUPTED,
            "partial: ended before its end");
    }

    @Test
    void shouldBePrintedWhenItCannotBeWritten() throws IOException
    {
        assertSays(
            baseline(0, false), new FullDisk(0), "FAILED", ExitCode.RUN_FAILED,
            "the result is incomplete: baseline.json could not be written (" + FullDisk.REASON + ")",
            "the result is incomplete: udp-busyspin-service-time.hgrm could not be written (" + FullDisk.REASON + ")");
        assertThat(path).isEmptyDirectory();
    }

    private void assertSays(
        final DocumentedResult baseline, final Disk disk, final String label, final int exitStatus, final String... reasons)
        throws IOException
    {
        final DocumentedResult.Ended ended = baseline.write(new ResultFolder(path, disk), true);

        assertThat(ended.verdict().exitStatus()).isEqualTo(exitStatus);
        final JsonNode json = new ObjectMapper().readTree(ended.json());
        assertThat(json.at("/verdict/label").asText()).isEqualTo(label);
        assertThat(json.at("/verdict/good").asBoolean()).isEqualTo(ExitCode.GOOD == exitStatus);
        assertThat(json.at("/verdict/partial").asBoolean()).isEqualTo(ExitCode.INTERRUPTED == exitStatus);
        assertThat(json.at("/udp/0/scheduled").asLong()).isEqualTo(RATE);
        final String text = ended.text();
        assertThat(text).startsWith(label + "  baseline").contains("UDP round trip, busyspin");
        for (final String reason : reasons)
        {
            assertThat(json.at("/verdict/reasons").toString()).contains(reason);
            assertThat(text).contains("  ! " + reason);
        }
    }

    private static DocumentedResult baseline(final long lost, final boolean isPartial)
    {
        final LoadMeasurement measurement = FakeRuns.measurement(lost, RATE);
        return Baseline.result(
            new RunDescription(
                "baseline", Instant.parse("2026-11-21T09:13:36Z"), "java -jar load-client.jar baseline", Map.of(), Map.of(),
                "none", "none emulated", 0),
            64, RATE,
            List.of(UdpRoundTrip.of("busyspin", measurement, Verdict.of(RunEvidence.of(measurement, RATE)), 1_000, 1_000)),
            null, isPartial);
    }
}
