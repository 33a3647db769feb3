package io.clusterecho.failover.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentWindowTest
{
    private static final int WINDOW_LENGTH = 1 << 19;
    private static final int FILE_LENGTH = WINDOW_LENGTH + 1000;

    @TempDir
    private Path folder;
    private final LogReader.SegmentWindow window = new LogReader.SegmentWindow();

    @Test
    void shouldLoadWhatTheFileHas() throws IOException
    {
        assertThat(window.open(file("a", 7, 11, WINDOW_LENGTH + 5))).isTrue();
        assertThat(window.channel.size()).isEqualTo(FILE_LENGTH);

        assertThat(window.load(0, 32, false)).isEqualTo(32);
        assertThat(at(7)).isEqualTo((byte)1);
        assertThat(at(8)).isZero();
        assertThat(window.load(WINDOW_LENGTH - 10, 32, false)).isEqualTo(32);
        assertThat(at(WINDOW_LENGTH + 5)).isEqualTo((byte)1);
        assertThat(window.load(FILE_LENGTH - 10, 32, false)).as("up to the end of the file").isEqualTo(10);
        assertThat(window.load(FILE_LENGTH, 32, false)).isZero();
        assertThat(window.load(8, 32, false)).as("back again").isEqualTo(32);
        assertThat(at(11)).isEqualTo((byte)1);
    }

    @Test
    void shouldReadAgainOnlyWhatItHasNotLoaded() throws IOException
    {
        final Path file = file("a", 100);
        window.open(file);
        window.load(0, 200, false);
        Files.write(file, new byte[FILE_LENGTH]);

        window.load(90, 20, false);
        assertThat(at(100)).as("unchanged").isEqualTo((byte)1);
        window.load(WINDOW_LENGTH - 20, 20, false);
        window.load(0, 200, false);
        assertThat(at(100)).as("up to the last byte of the window").isEqualTo((byte)1);
        assertThat(window.open(file)).as("the same file").isTrue();
        window.load(0, 200, false);
        assertThat(at(100)).isEqualTo((byte)1);
        window.load(0, 200, true);
        assertThat(at(100)).as("read again").isZero();
    }

    @Test
    void shouldSwitchFiles() throws IOException
    {
        window.open(file("a", 100));
        window.load(0, 200, false);

        assertThat(window.open(folder.resolve("none"))).isFalse();
        assertThat(window.open(file("b", 101))).isTrue();
        window.load(0, 200, false);
        assertThat(at(100)).isZero();
        assertThat(at(101)).isEqualTo((byte)1);
        window.close();
        assertThat(window.open(folder.resolve("b"))).isTrue();
        assertThat(window.channel.size()).isEqualTo(FILE_LENGTH);
    }

    @Test
    void shouldFindTheFirstByteThatIsNotZero() throws IOException
    {
        window.open(file("a", 3, 70_000, WINDOW_LENGTH + 5));
        window.load(50, 10, true);

        assertThat(window.firstNonZero(0)).isEqualTo(3);
        assertThat(window.firstNonZero(3)).isEqualTo(3);
        assertThat(window.firstNonZero(4)).isEqualTo(70_000);
        assertThat(window.firstNonZero(70_001)).isEqualTo(WINDOW_LENGTH + 5);
        assertThat(window.firstNonZero(WINDOW_LENGTH + 6)).isEqualTo(-1);
        assertThat(window.firstNonZero(FILE_LENGTH)).isEqualTo(-1);
        assertThat(window.index(60)).as("the window stays").isEqualTo(10);
    }

    private byte at(final long offset)
    {
        return window.buffer.getByte(window.index(offset));
    }

    private Path file(final String name, final int... ones) throws IOException
    {
        final byte[] bytes = new byte[FILE_LENGTH];
        for (final int offset : ones)
        {
            bytes[offset] = 1;
        }
        return Files.write(folder.resolve(name), bytes);
    }
}
