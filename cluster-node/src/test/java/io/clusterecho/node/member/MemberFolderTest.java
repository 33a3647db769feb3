package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;

import io.aeron.cluster.RecordingLog;
import io.aeron.cluster.codecs.mark.ClusterComponentType;
import io.aeron.cluster.service.ClusterMarkFile;

import org.agrona.concurrent.SystemEpochClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

class MemberFolderTest
{
    private static final int ERROR_BUFFER_LENGTH = ClusterMarkFile.ERROR_BUFFER_MIN_LENGTH;
    private static final long LIVENESS_MS = 10_000;
    private static final Runnable CHECK = () -> { };

    @TempDir
    private Path baseDir;

    @Test
    void shouldShutItsFoldersToOthers() throws IOException
    {
        try (MemberFolder folder = MemberFolder.open(config(), CHECK))
        {
            for (final Path path : new Path[]{ folder.dir(), folder.archiveDir(), folder.clusterDir() })
            {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path))).isEqualTo("rwx------");
            }
        }
    }

    @Test
    void shouldRefuseASecondOwnerAndNameFolderAndPid()
    {
        try (MemberFolder folder = MemberFolder.open(config(), CHECK))
        {
            assertThatThrownBy(() -> MemberFolder.open(config(), CHECK))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining(folder.dir().toString())
                .hasMessageContaining("pid=" + ProcessHandle.current().pid());
        }

        assertThatCode(() -> MemberFolder.open(config(), CHECK).close()).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({ "1", "123" })
    void shouldAcceptAListOfWholeEntries(final int termCount) throws IOException
    {
        try (MemberFolder folder = MemberFolder.open(config(), CHECK))
        {
            assertThat(folder.damage()).isEmpty();
            record(folder);
            appendTerms(folder, termCount);
            assertThat(folder.damage()).isEmpty();
            FolderDamage.noteTerm(folder.clusterDir());
            assertThat(folder.damage()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({ "0", "192", "64000" })
    void shouldFindAListWithoutATermBesideRecordings(final int length) throws IOException
    {
        try (MemberFolder folder = MemberFolder.open(config(), CHECK))
        {
            record(folder);
            appendTerms(folder, 3);
            FolderDamage.noteTerm(folder.clusterDir());
            final byte[] bytes = new byte[length];
            new Random(1).nextBytes(bytes);
            Files.write(list(folder), bytes);
            assertThat(folder.damage()).isPresent();
        }
        // A later start, whose archive has recordings.
        try (MemberFolder folder = MemberFolder.open(config(), CHECK))
        {
            assertThat(folder.damage()).isPresent();
        }
    }

    @Test
    void shouldFindAListWithTermsOfTwoLogs() throws IOException
    {
        try (MemberFolder folder = MemberFolder.open(config(), CHECK))
        {
            record(folder);
            appendTerms(folder, 3);
            final byte[] bytes = Files.readAllBytes(list(folder));
            bytes[70] ^= 1;
            Files.write(list(folder), bytes);
            assertThat(folder.damage()).isPresent();
        }
    }

    @Test
    void shouldNotTakeAFirstCopyThatWasKilledForDamage() throws IOException
    {
        openAndClose();
        try (MemberFolder folder = MemberFolder.open(config(), CHECK))
        {
            record(folder);
            Files.createFile(list(folder));
            assertThat(folder.damage()).isEmpty();
        }
        try (MemberFolder folder = MemberFolder.open(config(), CHECK))
        {
            assertThat(folder.damage()).isEmpty();
            FolderDamage.noteTerm(folder.clusterDir());
            assertThat(folder.damage()).isPresent();
        }
    }

    @Test
    void shouldNotTakeAFileWithoutContentForARecording() throws IOException
    {
        try (MemberFolder folder = MemberFolder.open(config(), CHECK))
        {
            Files.write(new RecordedFiles(folder.archiveDir()).add(0, 0, 0).file(0, 0), new byte[128]);
            Files.createFile(list(folder));
            FolderDamage.noteTerm(folder.clusterDir());
            assertThat(folder.damage()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({ "30", "65", "7871" })
    void shouldFindAListThatEndsWithinAnEntry(final int length) throws IOException
    {
        try (MemberFolder folder = MemberFolder.open(config(), CHECK))
        {
            Files.write(list(folder), new byte[length]);
            assertThat(folder.damage()).hasValueSatisfying(
                (text) -> assertThat(text).contains("ends within an entry, at byte " + length));
        }
    }

    @Test
    void shouldFindThatTheListOfRecordingsIsGone() throws IOException
    {
        try (MemberFolder folder = MemberFolder.open(config(), CHECK))
        {
            Files.write(folder.archiveDir().resolve("0-0.rec"), new byte[128]);
            assertThat(folder.damage()).hasValueSatisfying(
                (text) -> assertThat(text).contains("there are recordings, but no list of terms and snapshots"));
        }
    }

    @Test
    void shouldNotTakeACopyThatWasKilledForDamage() throws IOException
    {
        try (MemberFolder folder = MemberFolder.open(config(), CHECK))
        {
            new MemberSeed("127.0.0.1:1", 0, 64, List.of(), List.of()).write(folder.dir());
            Files.write(folder.archiveDir().resolve("0-0.rec"), new byte[128]);
            assertThat(folder.damage()).isEmpty();
        }
    }

    @Test
    void shouldEndMarksThatLookAlive() throws IOException
    {
        final Path mark = openAndClose().resolve("cluster/" + ClusterMarkFile.FILENAME);
        try (ClusterMarkFile alive = newMarkFile(mark))
        {
            alive.signalReady(System.currentTimeMillis());
        }
        assertThatThrownBy(() -> newMarkFile(mark).close()).hasMessageContaining("active");

        deleteMarks();

        assertThatCode(() -> newMarkFile(mark).close()).doesNotThrowAnyException();
    }

    @Test
    void shouldKeepTheErrorsOfAnEarlierProcessUntilAMemberStarts() throws IOException
    {
        final Path mark = Files.write(openAndClose().resolve("cluster/" + ClusterMarkFile.FILENAME), new byte[8192]);

        openAndClose();
        assertThat(mark).exists();

        deleteMarks();
        assertThat(mark).doesNotExist();
    }

    @Test
    void shouldEndMarksOfAStartThatDiedHalfWay() throws IOException
    {
        final Path mark = openAndClose().resolve("cluster/" + ClusterMarkFile.markFilenameForService(0));
        try (ClusterMarkFile ready = newMarkFile(mark))
        {
            ready.signalReady(1);
        }
        newMarkFile(mark).close();
        assertThatThrownBy(() -> newMarkFile(mark).close()).hasMessageContaining("active");

        deleteMarks();

        assertThatCode(() -> newMarkFile(mark).close()).doesNotThrowAnyException();
    }

    @Test
    void shouldDropMarksThatWereNeverReady() throws IOException
    {
        final Path dir = openAndClose();
        final Path cut = Files.write(dir.resolve("archive/archive-mark.dat"), new byte[16]);
        final Path unready = Files.write(dir.resolve("cluster/cluster-mark.dat"), new byte[8192]);

        deleteMarks();

        assertThat(cut).doesNotExist();
        assertThat(unready).doesNotExist();
    }

    @Test
    void shouldKeepALog() throws IOException
    {
        final Path log = Files.writeString(openAndClose().resolve("archive/0-0.rec"), "log");

        openAndClose();
        assertThat(log).exists();
    }

    @Test
    void shouldCheckUnderTheLock() throws IOException
    {
        openAndClose();
        assertThatThrownBy(() -> MemberFolder.open(config(), () ->
        {
            assertThatThrownBy(() -> MemberFolder.open(config(), CHECK))
                .hasMessageContaining("is in use by a running member");
            throw new IllegalStateException("no such class");
        })).hasMessage("no such class");
        openAndClose();
    }

    private static void record(final MemberFolder folder) throws IOException
    {
        new RecordedFiles(folder.archiveDir()).term(0, 5).messages(3, 0).add(0, 0, 3 * RecordedFiles.MESSAGE_LENGTH);
    }

    private static void appendTerms(final MemberFolder folder, final int count)
    {
        try (RecordingLog log = new RecordingLog(folder.clusterDir().toFile(), true))
        {
            for (int i = 0; i < count; i++)
            {
                log.appendTerm(0, i, 64L * i, i);
            }
        }
    }

    private static Path list(final MemberFolder folder)
    {
        return folder.clusterDir().resolve(RecordingLog.RECORDING_LOG_FILE_NAME);
    }

    private Path openAndClose()
    {
        try (MemberFolder folder = MemberFolder.open(config(), CHECK))
        {
            return folder.dir();
        }
    }

    private void deleteMarks() throws IOException
    {
        try (MemberFolder folder = MemberFolder.open(config(), CHECK))
        {
            folder.deleteMarks();
        }
    }

    private static ClusterMarkFile newMarkFile(final Path file)
    {
        final ClusterComponentType type = file.endsWith(ClusterMarkFile.FILENAME) ?
            ClusterComponentType.CONSENSUS_MODULE : ClusterComponentType.CONTAINER;
        return new ClusterMarkFile(
            file.toFile(), type, ERROR_BUFFER_LENGTH, SystemEpochClock.INSTANCE, LIVENESS_MS, 4096);
    }

    private NodeConfig config()
    {
        return new NodeConfig(new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put(NodeSettings.BASE_DIR.key(), baseDir.toString(), "test"));
    }
}
