package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import io.aeron.archive.status.RecordingPos;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.testing.Need;

@EnabledOnOs(OS.LINUX)
class PacedWriteBackTest
{
    private static final long TIMEOUT_NS = 60_000_000_000L;
    private static final int SEGMENT_LENGTH = 8 << 20;
    private static final long LONGEST_UNIT = 2 << 20;
    private static final long RECORDING_ID = 5;

    private final CountersManager counters = new CountersManager(
        new UnsafeBuffer(ByteBuffer.allocateDirect(64 * CountersReader.METADATA_LENGTH)),
        new UnsafeBuffer(ByteBuffer.allocateDirect(64 * CountersReader.COUNTER_LENGTH)));
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final List<String> closed = new CopyOnWriteArrayList<>();
    private Path archiveDir;
    private PacedWriteBack writeBack;

    @BeforeEach
    void startWriteBack() throws IOException
    {
        // Not the folder for temporary files, which may be in memory.
        archiveDir = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "write-back").toAbsolutePath();
        counters.allocate("another counter", 1);
        writeBack = new PacedWriteBack(archiveDir, counters, () -> closed.add("counters"), lines::add).start();
    }

    @AfterEach
    void closeWriteBack() throws IOException
    {
        writeBack.close();
        await(() -> closed.contains("counters"));
        try (Stream<Path> files = Files.list(archiveDir))
        {
            for (final Path file : files.toList())
            {
                Files.delete(file);
            }
        }
        Files.delete(archiveDir);
    }

    @Test
    void shouldWriteBackAllButTheLatest() throws IOException
    {
        newSegment(RECORDING_ID, 0);
        final Path segment = newSegment(RECORDING_ID, SEGMENT_LENGTH);
        final Path ofAnother = newSegment(RECORDING_ID + 1, 0);
        final int positionId = newPosition(RECORDING_ID);
        counters.setCounterValue(positionId, SEGMENT_LENGTH + PacedWriteBack.LEFT_OUT_LENGTH + PacedWriteBack.STEP_LENGTH);
        await(() -> dirtyLength(segment) <= SEGMENT_LENGTH - PacedWriteBack.STEP_LENGTH);
        // Pages that were written at once may form a unit.
        assertThat(dirtyLength(segment)).isGreaterThanOrEqualTo(SEGMENT_LENGTH - PacedWriteBack.STEP_LENGTH - LONGEST_UNIT);
        assertThat(dirtyLength(ofAnother)).isGreaterThanOrEqualTo(SEGMENT_LENGTH - LONGEST_UNIT);

        newSegment(RECORDING_ID, 2 * SEGMENT_LENGTH);
        counters.setCounterValue(positionId, 2 * SEGMENT_LENGTH);
        await(() -> dirtyLength(segment) == 0);
        assertThat(lines).isEmpty();
    }

    @Test
    void shouldCloseTheFileOfARecordingThatHasEnded() throws IOException
    {
        final Path segment = newSegment(RECORDING_ID, 0);
        final int positionId = newPosition(RECORDING_ID);
        await(() -> openFiles().contains(segment));

        counters.free(positionId);
        await(() -> !openFiles().contains(segment));
        assertThat(lines).isEmpty();
    }

    @Test
    void shouldWaitForTheFileOfARecording() throws IOException
    {
        final int positionId = newPosition(RECORDING_ID);
        counters.setCounterValue(positionId, SEGMENT_LENGTH - 1);
        final Path segment = newSegment(RECORDING_ID, 0);
        await(() -> dirtyLength(segment) < SEGMENT_LENGTH);
        assertThat(lines).isEmpty();
    }

    @Test
    void shouldLeaveTheRestToTheKernelAfterAFailure(@TempDir final Path dir) throws IOException
    {
        final PacedWriteBack failing =
            new PacedWriteBack(dir.resolve("missing"), counters, () -> closed.add("others"), lines::add).start();
        newPosition(RECORDING_ID);
        await(() -> closed.contains("others"));
        failing.close();
        assertThat(lines).containsExactly(
            "recordings are written back by the kernel: java.nio.file.NoSuchFileException: " + dir.resolve("missing"));
    }

    private int newPosition(final long recordingId)
    {
        return counters.allocate(
            "position", RecordingPos.RECORDING_POSITION_TYPE_ID, (key) -> key.putLong(0, recordingId));
    }

    /** A file whose pages are all dirty. */
    private Path newSegment(final long recordingId, final long basePosition) throws IOException
    {
        final Path segment = archiveDir.resolve(recordingId + "-" + basePosition + ".rec");
        final Path unnamed = archiveDir.resolve("new");
        try (FileChannel channel = FileChannel.open(unnamed, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))
        {
            channel.write(ByteBuffer.allocate(SEGMENT_LENGTH));
        }
        Need.CACHESTAT.check(DirtyPages.length(unnamed) > 0, "the file system of " + archiveDir + " has no dirty pages");
        return Files.move(unnamed, segment);
    }

    private static long dirtyLength(final Path segment)
    {
        try
        {
            return DirtyPages.length(segment);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static List<Path> openFiles()
    {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd")))
        {
            return descriptors.map(PacedWriteBackTest::target).toList();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static Path target(final Path descriptor)
    {
        try
        {
            return Files.readSymbolicLink(descriptor);
        }
        catch (final IOException ex)
        {
            // It was closed after the folder was listed.
            return descriptor;
        }
    }

    private static void await(final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime()).as("within %s ns", TIMEOUT_NS).isLessThan(deadlineNs);
            Thread.onSpinWait();
        }
    }
}
