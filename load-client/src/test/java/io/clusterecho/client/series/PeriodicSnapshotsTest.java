package io.clusterecho.client.series;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.SnapshotCost;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PeriodicSnapshotsTest
{
    private static final long MS = 1_000_000L;

    @TempDir
    private Path output;

    private final AtomicInteger count = new AtomicInteger();

    @Test
    void shouldTakeThemAtTheIntervalWithinTheMeasuredWindow() throws Exception
    {
        final CountDownLatch taken = new CountDownLatch(3);
        final ResultFolder folder = folder();
        final PeriodicSnapshots snapshots = new PeriodicSnapshots(
            (deadline) ->
            {
                taken.countDown();
                count.incrementAndGet();
                return List.of("0,follower," + 2 * MS, "1,leader,");
            },
            300 * MS, 100 * MS, 1_200 * MS, folder);

        begin(snapshots);
        assertThat(taken.await(30, TimeUnit.SECONDS)).isTrue();
        LockSupport.parkNanos(400 * MS);
        snapshots.close();

        final List<String> rows = rows(folder);
        assertThat(count).as("none is due after the window").hasValue(3);
        assertThat(rows).hasSize(6);
        assertThat(rows.get(0)).matches("0\\.[4-9]\\d\\d,\\d+\\.\\d{3},0,follower,2000000");
        assertThat(rows.get(1)).endsWith(",1,leader,");
        assertThat(snapshots.problems()).isEmpty();
    }

    @Test
    void shouldReportThoseThatFailedAndContinue() throws Exception
    {
        final CountDownLatch taken = new CountDownLatch(4);
        final ResultFolder folder = folder();
        final PeriodicSnapshots snapshots = new PeriodicSnapshots(
            (deadline) ->
            {
                taken.countDown();
                switch (count.incrementAndGet())
                {
                    case 1:
                        throw new ControlFailure(ControlFailure.NOT_READY, "no leader\nin this folder");

                    case 2:
                        throw new UncheckedIOException(new IOException("counters that cannot be read"));

                    default:
                        break;
                }
                return List.of("0,leader," + MS);
            },
            100 * MS, 0, 60_000 * MS, folder);

        begin(snapshots);
        assertThat(taken.await(30, TimeUnit.SECONDS)).isTrue();
        snapshots.close();

        assertThat(rows(folder)).hasSizeGreaterThanOrEqualTo(2);
        assertThat(snapshots.problems()).anySatisfy(
            (problem) -> assertThat(problem).matches("the snapshot at 0\\.\\d s failed: no leader; 1 more failed"));
    }

    @Test
    void shouldReportThoseThatWereLeftOutWhileAnotherWasTaken() throws Exception
    {
        final CountDownLatch begun = new CountDownLatch(2);
        final ResultFolder folder = folder();
        final PeriodicSnapshots snapshots = new PeriodicSnapshots(
            (deadline) ->
            {
                begun.countDown();
                LockSupport.parkNanos(500 * MS);
                return List.of();
            },
            100 * MS, 0, 60_000 * MS, folder);

        begin(snapshots);
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        snapshots.close();

        assertThat(snapshots.problems()).singleElement().asString().contains("were left out").contains("--snapshot-every");
    }

    @Test
    void shouldTakeNoneWithoutARun() throws IOException
    {
        final ResultFolder folder = folder();
        final PeriodicSnapshots snapshots = new PeriodicSnapshots(
            (deadline) -> List.of(count.incrementAndGet() + ",leader,1"), 1, 0, Long.MAX_VALUE,
            folder);

        snapshots.close();

        assertThat(count).hasValue(0);
        assertThat(rows(folder)).isEmpty();
    }

    private ResultFolder folder()
    {
        return ResultFolder.create(output, "snapshots", Instant.now());
    }

    private static void begin(final PeriodicSnapshots snapshots)
    {
        final long startEpochMs = System.currentTimeMillis();
        snapshots.begin(startEpochMs);
        snapshots.begin(startEpochMs);
    }

    private static List<String> rows(final ResultFolder folder) throws IOException
    {
        final List<String> lines = Files.readAllLines(folder.path().resolve(SnapshotCost.FILE));
        assertThat(lines.get(0) + "\n").isEqualTo(SnapshotCost.HEADER);
        return lines.subList(1, lines.size());
    }
}
