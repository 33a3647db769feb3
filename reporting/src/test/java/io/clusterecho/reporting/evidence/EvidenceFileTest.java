package io.clusterecho.reporting.evidence;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvidenceFileTest
{
    private static final String HEAD = "a,b\n";
    private static final long NS_PER_S = 1_000_000_000L;

    @TempDir
    private Path folder;
    private Path path;

    @BeforeEach
    void name()
    {
        path = folder.resolve("rows.csv");
    }

    @Test
    void shouldHoldEachRow() throws IOException
    {
        Files.writeString(path, "what an earlier run has left, which is longer");
        final EvidenceFile file = open(Disk.FILE_SYSTEM);
        assertThat(file.append("1,2\n", 0)).isTrue();
        assertThat(file.append("3,4\n5,6\n", NS_PER_S)).isTrue();
        file.close();

        assertThat(path).hasContent("a,b\n1,2\n3,4\n5,6\n");
        assertThat(file.problems()).isEmpty();
    }

    @Test
    void shouldEndBeforeTheIntervalOfWhichThereIsNoRoomForAllRows() throws IOException
    {
        final EvidenceFile file = open(new FullDisk(HEAD.length() + 11));
        assertThat(file.append("1,2\n", 11 * NS_PER_S)).isTrue();
        assertThat(file.append("3,4\n5,6\n", 12 * NS_PER_S)).isFalse();

        assertThat(file.problems()).containsExactly("rows.csv is incomplete from 12.0 s on: No space left on device");
        assertThat(Files.readString(path)).isEqualTo("a,b\n1,2\n");
        file.close();
        assertThat(file.problems()).containsExactly("rows.csv is incomplete from 12.0 s on: No space left on device");
        assertThat(Files.readString(path)).isEqualTo("a,b\n1,2\n");
    }

    @Test
    void shouldAppendNothingAfterAFailureEvenIfThereIsRoomAgain() throws IOException
    {
        final FullDisk disk = new FullDisk(HEAD.length());
        final EvidenceFile file = open(disk);
        file.append("1,2\n", 0);
        disk.roomBytes(1_000);

        assertThat(file.append("3,4\n", NS_PER_S)).isFalse();
        assertThat(file.append(new byte[4], 4, 4)).isFalse();
        file.close();
        assertThat(Files.readString(path)).isEqualTo(HEAD);
        assertThat(file.problems()).containsExactly("rows.csv is incomplete from 0.0 s on: No space left on device");
    }

    @Test
    void shouldKeepRecordsThatWereWrittenWhole() throws IOException
    {
        final FullDisk disk = new FullDisk(HEAD.length() + 12);
        final EvidenceFile file = open(disk);
        assertThat(file.append("abcdef??".getBytes(UTF_8), 6, 3)).isTrue();
        assertThat(file.append("ghijklmno".getBytes(UTF_8), 9, 3)).isFalse();
        file.close();

        assertThat(Files.readString(path)).isEqualTo("a,b\nabcdefghijkl");
        assertThat(file.problems()).containsExactly("rows.csv is incomplete from record 5 on: No space left on device");
    }

    @Test
    void shouldCutOffTheRecordOfWhichOnlyAPartWasWritten() throws IOException
    {
        final EvidenceFile file = open(new FullDisk(HEAD.length() + 5));
        file.append("abcdef".getBytes(UTF_8), 6, 3);
        file.close();

        assertThat(Files.readString(path)).isEqualTo("a,b\nabc");
        assertThat(file.problems()).containsExactly("rows.csv is incomplete from record 2 on: No space left on device");
    }

    @Test
    void shouldSayThatAPartOfARowCouldNotBeCutOff() throws IOException
    {
        final FullDisk disk = new FullDisk(HEAD.length() + 2);
        final EvidenceFile file = open(disk);
        disk.breakDown();
        file.append("1,2\n", 0);
        file.close();

        assertThat(file.problems()).containsExactly(
            "rows.csv is incomplete from 0.0 s on: No space left on device; its last row is incomplete (Input/output error)");
        assertThat(Files.readString(path)).isEqualTo("a,b\n1,");
    }

    @Test
    void shouldReportADeviceThatFailsOnlyWhenTheFileIsClosed()
    {
        final FullDisk disk = new FullDisk(1_000);
        final EvidenceFile file = open(disk);
        file.append("1,2\n", 0);
        disk.breakDown();
        assertThat(file.problems()).isEmpty();
        file.close();

        assertThat(file.problems()).containsExactly("rows.csv may be incomplete: Input/output error when closing it");
    }

    @Test
    void shouldTakeBackTheRowsOfAnIntervalThatAnotherFileLacks() throws IOException
    {
        final EvidenceFile file = open(Disk.FILE_SYSTEM);
        final List<EvidenceFile> both = List.of(file, withRoomForOneRow());
        EvidenceFile.append(both, List.of("1,2\n", "1,2\n"), 0);
        EvidenceFile.append(both, List.of("3,4\n", "3,4\n"), NS_PER_S);
        assertThat(file.append("5,6\n", 2 * NS_PER_S)).isFalse();
        both.forEach(EvidenceFile::close);

        assertThat(Files.readString(path)).isEqualTo("a,b\n1,2\n");
        assertThat(EvidenceFile.problems(both)).containsExactly(
            "rows.csv is incomplete from 1.0 s on: it ends where other.csv does",
            "other.csv is incomplete from 1.0 s on: " + FullDisk.REASON);
    }

    @Test
    void shouldKeepTheRowsBeforeAnIntervalThatItHasNotGotItself() throws IOException
    {
        final EvidenceFile file = open(Disk.FILE_SYSTEM);
        final List<EvidenceFile> both = List.of(withRoomForOneRow(), file);
        EvidenceFile.append(both, List.of("1,2\n", "1,2\n"), 0);
        EvidenceFile.append(both, List.of("3,4\n", "3,4\n"), NS_PER_S);
        both.forEach(EvidenceFile::close);

        assertThat(Files.readString(path)).isEqualTo("a,b\n1,2\n");
    }

    private EvidenceFile withRoomForOneRow()
    {
        return new EvidenceFile(
            new FullDisk(HEAD.length() + 4), folder.resolve("other.csv"), "other.csv", HEAD.getBytes(UTF_8));
    }

    @Test
    void shouldBeWrittenByAnInterruptedThread() throws IOException
    {
        final EvidenceFile file;
        Thread.currentThread().interrupt();
        try
        {
            file = open(Disk.FILE_SYSTEM);
            file.append("1,2\n", 0);
            file.close();
        }
        finally
        {
            assertThat(Thread.interrupted()).isTrue();
        }

        assertThat(Files.readString(path)).isEqualTo("a,b\n1,2\n");
        assertThat(file.problems()).isEmpty();
    }

    @Test
    void shouldRefuseAFileThatCannotBeBegun()
    {
        assertThatThrownBy(() -> open(new FullDisk(HEAD.length() - 1)))
            .isInstanceOf(UncheckedIOException.class).hasMessage("cannot write " + path + ": No space left on device");
        path = folder.resolve("none").resolve("rows.csv");
        assertThatThrownBy(() -> open(Disk.FILE_SYSTEM))
            .isInstanceOf(UncheckedIOException.class).hasMessageStartingWith("cannot write " + path);
    }

    @Test
    void shouldReportWhatTheSystemSaysOfAFullDevice()
    {
        final Path full = Path.of("/dev/full");
        assumeThat(full).as("a device that is always full").exists();

        assertThatThrownBy(() -> new EvidenceFile(Disk.FILE_SYSTEM, full, "rows.csv", HEAD.getBytes(UTF_8)))
            .isInstanceOf(UncheckedIOException.class).hasMessage("cannot write /dev/full: No space left on device");

        final EvidenceFile file = new EvidenceFile(Disk.FILE_SYSTEM, full, "rows.csv", new byte[0]);
        assertThat(file.append("1,2\n", 0)).isFalse();
        file.close();
        assertThat(file.problems()).singleElement().asString()
            .startsWith("rows.csv is incomplete from 0.0 s on: No space left on device");
    }

    private EvidenceFile open(final Disk disk)
    {
        return new EvidenceFile(disk, path, "rows.csv", HEAD.getBytes(UTF_8));
    }
}
