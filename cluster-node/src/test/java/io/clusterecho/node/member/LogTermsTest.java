package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTermsTest
{
    @TempDir
    private Path dir;

    @Test
    void shouldFindTheLastTermBeforeAPosition() throws IOException
    {
        final RecordedFiles files = new RecordedFiles(dir).term(0, 5);
        final int first = files.end();
        // Across the end of the first file.
        files.messages(3, 0).term(1, 6).pad();
        final int begin = files.end();
        files.term(4, 7).messages(6, 9).write(7);
        final Recording log = files.recording(7, files.end());

        assertThat(lastId(log, first, 0)).isEqualTo(-1);
        assertThat(lastId(log, first, Long.MAX_VALUE)).isZero();
        assertThat(lastId(log, begin, Long.MAX_VALUE)).isEqualTo(1);
        assertThat(lastId(log, files.end(), begin)).isEqualTo(1);
        assertThat(lastId(log, files.end(), begin + 1)).isEqualTo(4);
        assertThat(lastId(log, -1, Long.MAX_VALUE)).as("that of a message, to the end of the log").isEqualTo(9);
    }

    @Test
    void shouldRefuseALogThatEndsEarlier() throws IOException
    {
        final RecordedFiles files = new RecordedFiles(dir).term(0, 5).write(7);
        final Recording log = files.recording(7, files.end());
        final LogTerms terms = new LogTerms(Long.MAX_VALUE);

        assertThat(log.read(0, files.end() + 32, false, terms).orElseThrow())
            .contains("unexpected end of recording at position=" + files.end());
        Files.delete(files.file(7, 0));
        assertThat(log.read(0, files.end(), false, terms).orElseThrow()).contains("7-0.rec");
    }

    private static long lastId(final Recording log, final long to, final long limit)
    {
        final LogTerms terms = new LogTerms(limit);
        assertThat(log.read(0, to, false, terms)).isEmpty();
        return terms.lastId();
    }
}
