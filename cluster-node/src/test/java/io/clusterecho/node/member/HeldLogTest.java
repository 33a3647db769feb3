package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeldLogTest
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
        assertThat(held()).isEqualTo(new HeldLog(0, END, END - LENGTH, held().lastChecksum()));
        assertThat(HeldLog.of(dir, END - 1)).isEqualTo(held());
        assertThat(HeldLog.of(dir, END - LENGTH).endPosition()).isEqualTo(END - LENGTH);
        assertThat(HeldLog.of(dir, 0)).isEqualTo(HeldLog.NOTHING);
    }

    @Test
    void shouldHoldNothingWithoutSegmentFiles() throws IOException
    {
        assertThat(HeldLog.of(dir.resolve("none"), Long.MAX_VALUE)).isEqualTo(HeldLog.NOTHING);
        Files.write(files.file(4, 0), new byte[SEGMENT_LENGTH]);
        assertThat(held()).isEqualTo(HeldLog.NOTHING);
        Files.write(files.file(4, 0), new byte[7]);
        assertThat(held()).isEqualTo(HeldLog.NOTHING);
    }

    @Test
    void shouldSeeBehindDamage() throws IOException
    {
        files.frames().putByte(LENGTH + 50, (byte)~files.frames().getByte(LENGTH + 50));
        files.frames().putInt(0, 0);
        files.write(4);
        assertThat(held().endPosition()).isEqualTo(END);
        for (final int length : new int[]{ -1, 1, 33, Integer.MAX_VALUE })
        {
            files.frames().putInt(0, length);
            files.write(4);
            assertThat(held().endPosition()).as("a first frame of length %d", length).isEqualTo(END);
        }
    }

    @Test
    void shouldEndBeforeADamagedLastFrame() throws IOException
    {
        files.frames().putByte(END - 1, (byte)~files.frames().getByte(END - 1));
        files.write(4);
        assertThat(held().endPosition()).isEqualTo(END - LENGTH);
    }

    @Test
    void shouldFollowFilesAndPadding() throws IOException
    {
        files.pad().write(4);
        assertThat(held()).isEqualTo(new HeldLog(0, SEGMENT_LENGTH, END, 0));
        files.messages(1, 0).write(4);
        assertThat(held().endPosition()).isEqualTo(SEGMENT_LENGTH + LENGTH);
        final Path second = files.file(4, SEGMENT_LENGTH);
        final byte[] bytes = Files.readAllBytes(second);
        Files.write(second, new byte[SEGMENT_LENGTH]);
        assertThat(held().endPosition()).isEqualTo(SEGMENT_LENGTH);
        Files.write(second, bytes);
        Files.delete(files.file(4, 0));
        assertThat(held().startPosition()).as("after a purge").isEqualTo(SEGMENT_LENGTH);
    }

    @Test
    void shouldDistinguishAnotherLastMessageOfTheSameLength() throws IOException
    {
        final HeldLog own = held();
        files.begin(RecordedFiles.LOG_STREAM_ID).messages(5, 0).write(4);
        final HeldLog other = HeldLog.of(dir, own.endPosition());
        assertThat(other.endPosition()).isEqualTo(own.endPosition());
        assertThat(other.endsAs(own)).isFalse();
        assertThat(own.endsAs(own)).isTrue();
    }

    @Test
    void shouldTakeTheLongestLogAndNoSnapshot() throws IOException
    {
        files.begin(RecordedFiles.LOG_STREAM_ID).messages(2, 0).write(5);
        files.begin(106).messages(100, 0).write(6);
        assertThat(held().endPosition()).isEqualTo(END);
    }

    @Test
    void shouldReadALogThatWasRecordedWithoutChecksums() throws IOException
    {
        new RecordedFiles(dir).withoutChecksums().messages(4, 0).write(4);
        assertThat(held().endPosition()).isEqualTo(4 * LENGTH);
    }

    private HeldLog held()
    {
        return HeldLog.of(dir, Long.MAX_VALUE);
    }
}
