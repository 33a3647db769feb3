package io.clusterecho.control.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemberStorageTest
{
    private static final int TERM = 64 * 1024;
    private static final int SEGMENT = 4 * TERM;

    @TempDir
    private Path dir;

    @Test
    void shouldHaveNothingWithoutFolders()
    {
        assertThat(MemberStorage.read(dir)).isEqualTo(new MemberStorage(MemberStorage.NONE, 0, 0, 0, List.of(), 0));
    }

    @Test
    void shouldCountFilesThatNoCatalogDescribes() throws IOException
    {
        Files.write(Files.createDirectories(dir.resolve("archive")).resolve("3-0.rec"), new byte[100]);
        Files.write(Files.createDirectories(dir.resolve("cluster")).resolve("node-state.dat"), new byte[11]);

        assertThat(MemberStorage.read(dir)).isEqualTo(new MemberStorage(MemberStorage.NONE, 0, 0, 0, List.of(), 111));
    }

    @Test
    void shouldFindTheFileOfAPosition()
    {
        final MemberStorage whole = storage(0);
        assertThat(whole.segmentStart(0)).isZero();
        assertThat(whole.segmentStart(SEGMENT - 32)).isZero();
        assertThat(whole.segmentStart(SEGMENT)).isEqualTo(SEGMENT);
        assertThat(whole.segmentStart(3 * SEGMENT + 32)).isEqualTo(3 * SEGMENT);

        final MemberStorage purged = storage(2 * SEGMENT);
        assertThat(purged.segmentStart(32)).as("before its log").isEqualTo(2 * SEGMENT);
        assertThat(purged.segmentStart(3 * SEGMENT)).isEqualTo(3 * SEGMENT);

        // A file begins with the term in which a log begins.
        final MemberStorage odd = storage(TERM + 32);
        assertThat(odd.segmentStart(TERM + 32)).isEqualTo(TERM);
        assertThat(odd.segmentStart(TERM + SEGMENT)).isEqualTo(TERM + SEGMENT);
    }

    @Test
    void shouldFallBackToTheStartOfTheLogWithTooFewSnapshots()
    {
        final MemberStorage storage = new MemberStorage(
            0, 64, TERM, SEGMENT,
            List.of(new MemberStorage.Snapshot(96, List.of(1L)), new MemberStorage.Snapshot(128, List.of(2L))), 0);
        assertThat(storage.positionOfNewest(1)).isEqualTo(128);
        assertThat(storage.positionOfNewest(2)).isEqualTo(96);
        assertThat(storage.positionOfNewest(3)).isEqualTo(64);
    }

    private static MemberStorage storage(final long startPosition)
    {
        return new MemberStorage(0, startPosition, TERM, SEGMENT, List.of(), 0);
    }
}
