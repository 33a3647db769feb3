package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IntactFramesTest
{
    private static final int LENGTH = RecordedFiles.MESSAGE_LENGTH;
    private static final int SEGMENT_LENGTH = RecordedFiles.SEGMENT_LENGTH;
    private static final int END = 3 * LENGTH;

    @TempDir
    private Path dir;

    private RecordedFiles files;

    @BeforeEach
    void record() throws IOException
    {
        files = new RecordedFiles(dir).messages(3, 0).write(4);
    }

    @Test
    void shouldEndWithTheLastFrame()
    {
        assertThat(length()).isEqualTo(END);
        assertThat(IntactFrames.areIn(dir)).isTrue();
    }

    @Test
    void shouldFindNothingWithoutSegmentFiles() throws IOException
    {
        assertThat(IntactFrames.areIn(dir.resolve("none"))).isFalse();
        Files.write(files.file(4, 0), new byte[SEGMENT_LENGTH]);
        assertThat(length()).isZero();
        Files.write(files.file(4, 0), new byte[7]);
        assertThat(length()).isZero();
        assertThat(IntactFrames.areIn(dir)).isFalse();
    }

    @Test
    void shouldSeeBehindDamage() throws IOException
    {
        files.frames().putByte(LENGTH + 50, (byte)~files.frames().getByte(LENGTH + 50));
        files.frames().putInt(0, 0);
        files.write(4);
        assertThat(length()).isEqualTo(END);
        for (final int length : new int[]{ -1, 1, 33, Integer.MAX_VALUE })
        {
            files.frames().putInt(0, length);
            files.write(4);
            assertThat(length()).as("a first frame of length %d", length).isEqualTo(END);
        }
    }

    @Test
    void shouldEndBeforeADamagedLastFrame() throws IOException
    {
        files.frames().putByte(END - 1, (byte)~files.frames().getByte(END - 1));
        files.write(4);
        assertThat(length()).isEqualTo(END - LENGTH);
    }

    @Test
    void shouldFollowFilesAndPadding() throws IOException
    {
        files.pad().write(4);
        assertThat(length()).isEqualTo(SEGMENT_LENGTH);
        files.messages(1, 0).write(4);
        assertThat(IntactFrames.length(files.file(4, SEGMENT_LENGTH))).isEqualTo(LENGTH);
        Files.delete(files.file(4, 0));
        assertThat(IntactFrames.areIn(dir)).as("after a purge").isTrue();
        Files.write(files.file(4, SEGMENT_LENGTH), new byte[SEGMENT_LENGTH]);
        assertThat(IntactFrames.areIn(dir)).isFalse();
    }

    @Test
    void shouldTakeNoSnapshotForALog() throws IOException
    {
        Files.delete(files.file(4, 0));
        files.begin(106).messages(100, 0).write(6);
        assertThat(IntactFrames.areIn(dir)).isFalse();
    }

    @Test
    void shouldReadALogThatWasRecordedWithoutChecksums() throws IOException
    {
        new RecordedFiles(dir).withoutChecksums().messages(4, 0).write(4);
        assertThat(length()).isEqualTo(4 * LENGTH);
    }

    private int length()
    {
        return IntactFrames.length(files.file(4, 0));
    }
}
