package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.clusterecho.reporting.evidence.Disk;
import io.clusterecho.reporting.evidence.FullDisk;
import io.clusterecho.reporting.measurement.SampleInterval;
import io.clusterecho.reporting.measurement.Time;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IntervalFilesTest
{
    private static final List<String> LOGS =
        List.of(
        "response-time.hlog", "service-time.hlog", "send-delay.hlog", "receive-lateness.hlog", "client-part.hlog",
        "stall.hlog");
    private static final int COUNT = 4;
    /** Less than any row, so that each file is the first to fail. */
    private static final int STEP_BYTES = 37;

    @TempDir
    private Path folder;

    @Test
    void shouldHaveARowForEachInterval() throws IOException
    {
        final List<String> problems = write(Disk.FILE_SYSTEM);

        assertThat(problems).isEmpty();
        assertThat(rowCount()).isEqualTo(COUNT);
        // The slowest of two messages.
        assertThat(CsvTable.read(folder.resolve("intervals.csv")).number(1, "client_tail_share")).isEqualTo(0.119);
        try (HistogramLogReader reader = new HistogramLogReader(folder.resolve("response-time.hlog").toFile()))
        {
            for (int i = 0; i < COUNT; i++)
            {
                assertThat(reader.nextIntervalHistogram()).isEqualTo(SampleInterval.of(i).times().of(Time.RESPONSE));
            }
        }
    }

    @Test
    void shouldLeaveStallsOfTheWarmUpToTheTable() throws IOException
    {
        try (IntervalFiles files = new IntervalFiles(ResultFolder.at(folder), 0))
        {
            files.onInterval(SampleInterval.ofWarmUp(0));
            files.onInterval(SampleInterval.of(1));
        }

        try (HistogramLogReader reader = new HistogramLogReader(folder.resolve("stall.hlog").toFile()))
        {
            assertThat(((Histogram)reader.nextIntervalHistogram()).getTotalCount()).isZero();
            assertThat(reader.nextIntervalHistogram()).isEqualTo(SampleInterval.of(1).times().of(Time.STALL));
        }
        final CsvTable table = CsvTable.read(folder.resolve("intervals.csv"));
        assertThat(table.number(0, "stall_max_us")).isGreaterThanOrEqualTo(2_000);
        assertThat(table.number(1, "stall_max_us")).isEqualTo(table.number(0, "stall_max_us"));
    }

    @Test
    void shouldEndAllFilesAtTheSameIntervalWhicheverFindsTheDiskFull() throws IOException
    {
        write(Disk.FILE_SYSTEM);
        final long wholeLength = length();
        new IntervalFiles(ResultFolder.at(folder), 0).close();
        final long headLength = length();

        final Set<Integer> rowCounts = new HashSet<>();
        final Set<String> firstToFail = new HashSet<>();
        for (long roomBytes = headLength; roomBytes < wholeLength; roomBytes += STEP_BYTES)
        {
            final List<String> problems = write(new FullDisk(roomBytes));

            final int rowCount = rowCount();
            rowCounts.add(rowCount);
            assertThat(problems).as("with room for %d bytes", roomBytes).hasSize(LOGS.size() + 1)
                .allMatch((problem) -> problem.contains(" is incomplete from " + rowCount + ".0 s on: "));
            final String first =
                problems.stream().filter((problem) -> problem.endsWith(FullDisk.REASON)).findAny().orElseThrow().split(" ")[0];
            firstToFail.add(first);
            assertThat(problems).filteredOn((problem) -> problem.endsWith(": it ends where " + first + " does"))
                .hasSize(LOGS.size());
        }

        assertThat(rowCounts).containsExactlyInAnyOrder(0, 1, 2, 3);
        assertThat(firstToFail).containsAll(LOGS).contains("intervals.csv").hasSize(LOGS.size() + 1);
    }

    @Test
    void shouldReportAFullDiskWhileTheRunGoesOn() throws IOException
    {
        final FullDisk disk = new FullDisk(1_000_000);
        try (IntervalFiles files = new IntervalFiles(new ResultFolder(folder, disk), 0))
        {
            files.onInterval(SampleInterval.of(0));
            assertThat(files.problems()).isEmpty();
            disk.roomBytes(0);
            files.onInterval(SampleInterval.of(1));
            assertThat(files.problems())
                .contains("response-time.hlog is incomplete from 1.0 s on: No space left on device");
            files.onInterval(SampleInterval.of(2));
        }

        assertThat(rowCount()).isEqualTo(1);
    }

    @Test
    void shouldRefuseADiskWithoutRoomForWhatStandsBeforeTheRows()
    {
        assertThatThrownBy(() -> write(new FullDisk(500))).isInstanceOf(UncheckedIOException.class)
            .hasMessageContaining(folder.toString()).hasMessageEndingWith(FullDisk.REASON);
    }

    private List<String> write(final Disk disk)
    {
        final IntervalFiles files = new IntervalFiles(new ResultFolder(folder, disk), 0);
        try (files)
        {
            for (int i = 0; i < COUNT; i++)
            {
                files.onInterval(SampleInterval.of(i));
            }
        }

        return files.problems();
    }

    /** Rows that every file has. */
    private int rowCount() throws IOException
    {
        final int rowCount = CsvTable.read(folder.resolve("intervals.csv")).rowCount();
        for (final String name : LOGS)
        {
            assertThat(histogramCount(folder.resolve(name))).as(name).isEqualTo(rowCount);
        }

        return rowCount;
    }

    private static int histogramCount(final Path file) throws IOException
    {
        int count = 0;
        try (HistogramLogReader reader = new HistogramLogReader(file.toFile()))
        {
            while (null != reader.nextIntervalHistogram())
            {
                count++;
            }
        }

        return count;
    }

    private long length() throws IOException
    {
        long length = Files.size(folder.resolve("intervals.csv"));
        for (final String name : LOGS)
        {
            length += Files.size(folder.resolve(name));
        }

        return length;
    }
}
