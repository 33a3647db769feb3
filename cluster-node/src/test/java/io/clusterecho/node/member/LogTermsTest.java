package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    void shouldFindEachTermThatBeginsInTheLog() throws IOException
    {
        final RecordedFiles files = new RecordedFiles(dir).term(0, 5).messages(3, 9);
        final int second = files.end();
        // Across the end of the first file.
        files.term(1, 6).pad();
        final int begin = files.end();
        files.term(4, 7).messages(6, 9).write(7);
        final Recording log = files.recording(7, files.end());

        assertThat(LogTerms.between(log, 0, files.end())).extracting(MemberSeed.Term::id).containsExactly(0L, 1L, 4L);
        assertThat(LogTerms.between(log, second, files.end())).extracting(MemberSeed.Term::id).containsExactly(1L, 4L);
        assertThat(LogTerms.between(log, begin, files.end())).containsExactly(new MemberSeed.Term(4, begin, 7));
        assertThat(LogTerms.between(log, 0, begin)).hasSize(2);
        assertThat(LogTerms.between(log, 0, -1)).as("to its end").hasSize(3);
    }

    @Test
    void shouldRefuseALogThatEndsEarlier() throws IOException
    {
        final RecordedFiles files = new RecordedFiles(dir).term(0, 5).write(7);
        final Recording log = files.recording(7, files.end());

        assertThatThrownBy(() -> LogTerms.between(log, 0, files.end() + 32)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("unexpected end of recording at position=" + files.end());
        Files.delete(files.file(7, 0));
        assertThatThrownBy(() -> LogTerms.between(log, 0, files.end())).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("7-0.rec");
    }
}
