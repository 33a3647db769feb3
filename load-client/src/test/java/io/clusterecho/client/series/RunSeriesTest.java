package io.clusterecho.client.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.client.run.EndRequest;
import io.clusterecho.client.run.SampleConfig;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.reporting.evidence.Disk;
import io.clusterecho.reporting.evidence.FullDisk;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.reporting.results.ResultFolder;

import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs with the echo in memory. Their times, which a busy machine affects, are not checked. */
class RunSeriesTest
{
    private static final long MS = 1_000_000L;
    private static final long SHORT_NS = 20 * MS;
    /** Longer than any test may take: such a run ends only on request. */
    private static final long LONG_NS = 600_000 * MS;

    @TempDir
    private Path parent;
    private final EndRequest endRequest = EndRequest.byHand(Thread.currentThread());
    private final RunSeries series = new RunSeries(endRequest, false);
    private Path path;

    @BeforeEach
    void makeFolder() throws IOException
    {
        path = Files.createDirectory(parent.resolve("run"));
    }

    @AfterEach
    void close()
    {
        series.close();
        assertThat(Thread.interrupted()).as("no interrupt is left").isFalse();
    }

    @Test
    void shouldKeepAWholeRun() throws IOException
    {
        final StoredRun run = measure(SHORT_NS, Disk.FILE_SYSTEM, List.of());

        assertThat(run.evidence().problems()).isEmpty();
        assertThat(run.problems()).isEmpty();
        assertThat(run.verdict().isPartial()).isFalse();
        assertThat(manifest(run).get("scheduled").asLong()).isEqualTo(20);
        assertThat(path.resolve("manifest.json")).hasContent(run.json());
        assertThat(path.resolve("summary.txt")).hasContent(run.text());
    }

    @Test
    void shouldTakeAChannelThatTheInterruptClosedForTheInterruption()
    {
        endRequest.request();
        assertThatThrownBy(() -> endRequest.waitFor(this::write)).isInstanceOf(NotConnectedException.class)
            .hasRootCauseInstanceOf(ClosedByInterruptException.class);
    }

    @Test
    void shouldReportTheFailureOfAWaitThatNobodyEnded()
    {
        assertThatThrownBy(() -> endRequest.waitFor(() ->
        {
            throw new UncheckedIOException(new IOException("disk"));
        })).isInstanceOf(UncheckedIOException.class);
        endRequest.waitFor(this::write);
    }

    private void write()
    {
        try (FileChannel file = FileChannel.open(parent.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.WRITE))
        {
            file.write(ByteBuffer.allocate(1));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @Test
    void shouldLeaveNothingWhenASignalCameBeforeTheLoadBegan()
    {
        endRequest.request();

        assertThatThrownBy(() -> measure(LONG_NS, Disk.FILE_SYSTEM, List.of())).isInstanceOf(NotConnectedException.class);

        assertThat(parent).isEmptyDirectory();
        assertThat(series.endRequest().isRequested()).isTrue();
    }

    @Test
    void shouldKeepARunThatASignalEndedAndMarkItPartial() throws IOException
    {
        final StoredRun run = measure(LONG_NS, Disk.FILE_SYSTEM, List.of((interval) ->
        {
            if (!endRequest.isRequested())
            {
                endRequest.request();
            }
        }));

        assertThat(run.verdict().isPartial()).isTrue();
        assertThat(run.verdict().exitStatus()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(manifest(run).at("/verdict/partial").asBoolean()).isTrue();
        assertThat(run.text()).contains("partial: ended before its schedule");
        assertThat(manifest(run).get("answered").asLong()).isPositive();
        assertThat(path.resolve("manifest.json")).hasContent(run.json());
    }

    @Test
    void shouldKeepARunWhoseListenerThrows() throws IOException
    {
        final StoredRun run = measure(SHORT_NS, Disk.FILE_SYSTEM, List.of((interval) ->
        {
            throw new IllegalStateException("nowhere to draw");
        }));

        assertThat(run.evidence().problems()).singleElement().asString().contains("nowhere to draw");
        assertThat(run.verdict().label()).isEqualTo("FAILED");
        assertThat(run.verdict().exitStatus()).isEqualTo(ExitCode.RUN_FAILED);
        assertThat(manifest(run).at("/verdict/reasons").toString()).contains("nowhere to draw");
        assertThat(run.text()).startsWith("FAILED").contains("nowhere to draw");
        assertThat(manifest(run).get("scheduled").asLong()).isEqualTo(20);
    }

    @Test
    void shouldNotBeginARunWhoseFilesCannotBeBegun()
    {
        assertThatThrownBy(() -> measure(LONG_NS, new FullDisk(0), List.of()))
            .isInstanceOf(UncheckedIOException.class).hasMessageContaining(FullDisk.REASON);

        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void shouldPrintARunThatCannotBeWrittenAnyMore() throws IOException
    {
        final FullDisk disk = new FullDisk(Long.MAX_VALUE);
        final StoredRun run = measure(SHORT_NS, disk, List.of((interval) -> disk.roomBytes(0)));

        assertThat(run.problems()).contains(
            "the result is incomplete: manifest.json could not be written (" + FullDisk.REASON + ")");
        assertThat(run.verdict().reasons()).containsAll(run.problems());
        assertThat(run.verdict().exitStatus()).isEqualTo(ExitCode.RUN_FAILED);
        assertThat(manifest(run).at("/verdict/label").asText()).isEqualTo("FAILED");
        assertThat(run.text()).startsWith("FAILED").contains("manifest.json could not be written");
        assertThat(manifest(run).get("scheduled").asLong()).isEqualTo(20);
        assertThat(path.resolve("manifest.json")).doesNotExist();
    }

    @Test
    void shouldNameAFolderThatIsGone()
    {
        final StoredRun run =
            measure(SHORT_NS, Disk.FILE_SYSTEM, List.of((interval) -> IoUtil.delete(path.toFile(), true)));

        assertThat(run.verdict().exitStatus()).isEqualTo(ExitCode.RUN_FAILED);
        assertThat(run.text()).contains("results in " + path + ", which is gone").doesNotContain("charts");
    }

    private StoredRun measure(final long durationNs, final Disk disk, final List<IntervalListener> watchers)
    {
        return series.measure(
            SampleConfig.of("memory", parent), durationNs, new ResultFolder(path, disk),
            Instant.parse("2026-11-21T09:13:36Z"), false, watchers);
    }

    private static JsonNode manifest(final StoredRun run) throws IOException
    {
        return new ObjectMapper().readTree(run.json());
    }
}
