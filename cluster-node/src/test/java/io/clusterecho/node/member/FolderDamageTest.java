package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import io.aeron.archive.codecs.RecordingDescriptorDecoder;
import io.aeron.cluster.RecordingLog;
import io.aeron.protocol.DataHeaderFlyweight;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Damage to a log of two files with two terms, and a snapshot at the end of the first. */
class FolderDamageTest
{
    private static final int SEGMENT_LENGTH = RecordedFiles.SEGMENT_LENGTH;
    private static final int SNAPSHOT_LENGTH = 3 * RecordedFiles.MESSAGE_LENGTH;
    private static final int MODULE_ID = -1;

    @TempDir
    private Path dir;

    private Path clusterDir;
    private Path archiveDir;
    private RecordedFiles files;
    private int end;
    private int secondTerm;

    @BeforeEach
    void record() throws IOException
    {
        clusterDir = Files.createDirectories(dir.resolve("cluster"));
        archiveDir = Files.createDirectories(dir.resolve("archive"));
        files = new RecordedFiles(archiveDir).term(0, 5).messages(2, 0).pad().messages(3, 0);
        secondTerm = files.end();
        end = files.term(1, 6).messages(4, 1).end();
        files.add(0, 0, end);
        files.begin(106).messages(3, 0).add(1, 0, SNAPSHOT_LENGTH);
        files.begin(107).messages(3, 0).add(2, 0, SNAPSHOT_LENGTH);
        try (RecordingLog list = new RecordingLog(clusterDir.toFile(), true))
        {
            list.appendTerm(0, 0, 0, 5);
            list.appendSnapshot(1, 0, 0, SEGMENT_LENGTH, 6, 0);
            list.appendSnapshot(2, 0, 0, SEGMENT_LENGTH, 6, MODULE_ID);
            list.appendTerm(0, 1, secondTerm, 7);
        }
    }

    @Test
    void shouldFindNothingInIntactData() throws IOException
    {
        assertThat(FolderDamage.of(clusterDir, archiveDir, true, true)).isEmpty();
        applied(end);
        assertThat(FolderDamage.of(clusterDir, archiveDir, true, true)).isEmpty();
        assertThat(FolderDamage.of(clusterDir, archiveDir, true, false)).isEmpty();
        assertThat(FolderDamage.of(clusterDir, archiveDir, false, false)).isEmpty();
    }

    @Test
    void shouldCheckTheSnapshotOfEachService() throws IOException
    {
        files.begin(106).messages(3, 0).add(3, 0, SNAPSHOT_LENGTH);
        Files.delete(list());
        try (RecordingLog list = new RecordingLog(clusterDir.toFile(), true))
        {
            list.appendTerm(0, 0, 0, 5);
            list.appendSnapshot(3, 0, 0, SEGMENT_LENGTH, 6, 1);
            list.appendSnapshot(1, 0, 0, SEGMENT_LENGTH, 6, 0);
            list.appendSnapshot(2, 0, 0, SEGMENT_LENGTH, 6, MODULE_ID);
            list.appendTerm(0, 1, secondTerm, 7);
        }
        assertThat(FolderDamage.of(clusterDir, archiveDir, true, true)).isEmpty();
        flip(files.file(3, 0), 100);
        assertThat(damage()).contains("CRC checksum mismatch", "3-0.rec");
    }

    @Test
    void shouldNotTakeAKilledMemberForDamaged() throws IOException
    {
        // Its catalog has no end of the log yet, or one that the archive found, which is not in the checksum.
        recordAgain(-1, 0);
        applied(end);
        assertThat(FolderDamage.of(clusterDir, archiveDir, true, true)).isEmpty();
        final byte[] catalog = Files.readAllBytes(files.catalogFile());
        ByteBuffer.wrap(catalog).order(ByteOrder.LITTLE_ENDIAN)
            .putLong(files.descriptor(0) + RecordingDescriptorDecoder.stopPositionEncodingOffset(), end)
            .putLong(files.descriptor(0) + RecordingDescriptorDecoder.stopTimestampEncodingOffset(), 99);
        Files.write(files.catalogFile(), catalog);
        assertThat(FolderDamage.of(clusterDir, archiveDir, true, true)).isEmpty();
    }

    @Test
    void shouldDistinguishDamageFromALastWriteThatAKillHasCut() throws IOException
    {
        recordAgain(-1, 0);
        flip(files.file(0, SEGMENT_LENGTH), end - SEGMENT_LENGTH - 100);
        assertThat(FolderDamage.of(clusterDir, archiveDir, true, true)).isEmpty();
        flip(files.file(0, SEGMENT_LENGTH), 100);
        assertThat(damage()).contains("CRC checksum mismatch at position=" + SEGMENT_LENGTH);
    }

    @ParameterizedTest
    @ValueSource(ints = { 64, 128, 192 })
    void shouldFindAListThatHasLostItsLastEntries(final int length) throws IOException
    {
        truncate(list(), length);
        assertThat(FolderDamage.of(clusterDir, archiveDir, true, true)).as("not applied, so perhaps not yet in the list")
            .isEmpty();
        applied(secondTerm);
        assertThat(FolderDamage.of(clusterDir, archiveDir, true, true)).isEmpty();
        applied(end);
        assertThat(damage()).contains("ends with term 0, but the log has term 1");
    }

    @ParameterizedTest
    @CsvSource({ "0, TERM recordingId", "6, TERM recordingId", "64, names recording", "70, names recording", "72, differ",
        "96, differ", "100, differ", "140, differ", "144, differ", "152, differ", "196, TERM recordingId", "200, after term 0",
        "204, after term 0" })
    void shouldFindAFlippedByteOfTheList(final int offset, final String problem) throws IOException
    {
        flip(list(), offset);
        assertThat(damage()).contains(problem);
    }

    @Test
    void shouldFindThatTheCatalogIsGone() throws IOException
    {
        Files.delete(files.catalogFile());
        assertThat(damage()).contains("there are recordings, but no catalog");
        for (final int id : new int[]{ 0, 1, 2 })
        {
            Files.delete(files.file(id, 0));
        }
        Files.delete(files.file(0, SEGMENT_LENGTH));
        assertThat(damage()).contains("there are recordings, but no catalog");
    }

    @Test
    void shouldFindZerosInTheCatalog() throws IOException
    {
        final byte[] catalog = Files.readAllBytes(files.catalogFile());
        Arrays.fill(catalog, 320, 576, (byte)0);
        Files.write(files.catalogFile(), catalog);
        assertThat(damage()).contains("the catalog of the recordings is malformed", "it ends before recording 1 of 3");
    }

    @ParameterizedTest
    @ValueSource(ints = { 0, 20, 100, 300, 500, 700 })
    void shouldFindACatalogThatIsCut(final int length) throws IOException
    {
        truncate(files.catalogFile(), length);
        assertThat(damage()).contains("the catalog of the recordings is malformed");
    }

    @ParameterizedTest
    @ValueSource(ints = { 0, 16, 40, 48, 60, 78, 90 })
    void shouldFindAFlippedByteOfADescriptor(final int offset) throws IOException
    {
        flip(files.catalogFile(), files.descriptor(1) + offset);
        assertThat(damage()).contains("the catalog of the recordings is malformed", "the checksum of recording");
    }

    @Test
    void shouldFindALogThatEndsBeforeItsRecording() throws IOException
    {
        truncate(files.file(0, SEGMENT_LENGTH), end - SEGMENT_LENGTH - 100);
        assertThat(damage()).contains("unexpected end of recording at position=" + (end - RecordedFiles.MESSAGE_LENGTH));
        Files.delete(files.file(0, SEGMENT_LENGTH));
        assertThat(damage()).contains("unexpected end of recording at position=" + SEGMENT_LENGTH);
    }

    @Test
    void shouldFindDamageInTheLastFileOfTheLog() throws IOException
    {
        flip(files.file(0, SEGMENT_LENGTH), 100);
        assertThat(damage()).contains("CRC checksum mismatch at position=" + SEGMENT_LENGTH);
        assertThat(FolderDamage.of(clusterDir, archiveDir, true, false)).as("without checksums").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = { DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET, DataHeaderFlyweight.TERM_ID_FIELD_OFFSET,
        DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET, DataHeaderFlyweight.FRAME_LENGTH_FIELD_OFFSET,
        DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET, 100 })
    void shouldFindAFlippedByteOfASnapshot(final int offset) throws IOException
    {
        for (final int id : new int[]{ 1, 2 })
        {
            final Path file = files.file(id, 0);
            flip(file, RecordedFiles.MESSAGE_LENGTH + offset);
            assertThat(damage()).contains("at position=320 in " + file);
            flip(file, RecordedFiles.MESSAGE_LENGTH + offset);
        }
        assertThat(FolderDamage.of(clusterDir, archiveDir, true, true)).isEmpty();
    }

    @Test
    void shouldFindASnapshotThatIsGone() throws IOException
    {
        Files.delete(files.file(1, 0));
        assertThat(damage()).contains("unexpected end of recording at position=0: no ");
    }

    @Test
    void shouldFindAPurgedLogWithoutASnapshot() throws IOException
    {
        Files.delete(list());
        try (RecordingLog list = new RecordingLog(clusterDir.toFile(), true))
        {
            list.appendTerm(0, 0, 0, 5);
            list.appendTerm(0, 1, secondTerm, 7);
        }
        recordAgain(end, SEGMENT_LENGTH);
        assertThat(damage()).contains("the log begins at position " + SEGMENT_LENGTH, "no snapshot");
    }

    private void recordAgain(final long stopPosition, final long startPosition) throws IOException
    {
        files = new RecordedFiles(archiveDir).term(0, 5).messages(2, 0).pad().messages(3, 0).term(1, 6).messages(4, 1);
        files.add(0, startPosition, stopPosition);
        files.begin(106).messages(3, 0).add(1, 0, SNAPSHOT_LENGTH);
        files.begin(107).messages(3, 0).add(2, 0, SNAPSHOT_LENGTH);
    }

    private void applied(final long position) throws IOException
    {
        Files.writeString(clusterDir.resolve(StateLog.FILE), "96 1 0123456789abcdef\n" + position + " 7 0123456789abcdef\n7");
    }

    private String damage() throws IOException
    {
        return FolderDamage.of(clusterDir, archiveDir, true, true).orElse("none");
    }

    private Path list()
    {
        return clusterDir.resolve(RecordingLog.RECORDING_LOG_FILE_NAME);
    }

    private static void flip(final Path file, final int offset) throws IOException
    {
        final byte[] bytes = Files.readAllBytes(file);
        bytes[offset] ^= 1;
        Files.write(file, bytes);
    }

    private static void truncate(final Path file, final int length) throws IOException
    {
        Files.write(file, Arrays.copyOf(Files.readAllBytes(file), length));
    }
}
