package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;

import io.aeron.archive.client.ArchiveException;
import io.aeron.cluster.client.ClusterEvent;
import io.aeron.cluster.service.ClusterTerminationException;
import io.aeron.exceptions.ConductorServiceTimeoutException;
import io.aeron.exceptions.StorageSpaceException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.MemberFaults.Component;
import io.clusterecho.settings.Settings;

class MemberFaultsTest
{
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final MemberEnd end = new MemberEnd();
    private MemberFolder folder;
    private MemberFaults faults;

    @TempDir
    private Path baseDir;

    @BeforeEach
    void openFolder()
    {
        folder = MemberFolder.open(new NodeConfig(new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put(NodeSettings.BASE_DIR.key(), baseDir.toString(), "test")));
        faults = new MemberFaults(
            end, new ErrorReport(new PrintStream(log), Clock.fixed(Instant.EPOCH, ZoneOffset.UTC)), folder);
    }

    @AfterEach
    void closeFolder()
    {
        folder.close();
    }

    @Test
    void shouldEndNormallyWhenTheClusterIsShutDown()
    {
        faults.onError(Component.CONSENSUS_MODULE, new ClusterTerminationException(true));

        assertThat(end.decision().status()).isEqualTo(ExitStatus.OK);
    }

    @Test
    void shouldLeaveItToTheConsensusModuleToEndAfterTheService()
    {
        faults.onError(Component.SERVICE, new ClusterTerminationException(true));

        assertThat(end.isDecided()).isFalse();
        assertThat(faults.isServiceTerminated()).isTrue();
    }

    @Test
    void shouldReportTheLastErrorOfAConsensusModuleThatEndedUnexpectedly()
    {
        faults.onError(Component.ARCHIVE, new IllegalStateException("odd"));
        faults.onError(Component.CONSENSUS_MODULE, new ClusterTerminationException(false));

        assertThat(end.decision().status()).isEqualTo(ExitStatus.OTHER);
        assertThat(end.decision().reason()).contains("archive").contains("odd");
    }

    @Test
    void shouldEndAsStalledAfterAPauseThatAeronDoesNotSurvive()
    {
        faults.onError(Component.SERVICE, new ConductorServiceTimeoutException("service interval exceeded"));

        assertThat(end.decision().status()).isEqualTo(ExitStatus.STALLED);
    }

    @Test
    void shouldEndWhenTheArchiveIsOutOfSpace()
    {
        faults.onError(
            Component.ARCHIVE, new ArchiveException("low", new IOException("No space left on device"), 0));

        assertThat(end.decision().status()).isEqualTo(ExitStatus.STORAGE);
    }

    @Test
    void shouldSurviveASessionThatTheDriverHasNoSpaceFor()
    {
        faults.onError(Component.DRIVER, new StorageSpaceException("insufficient usable storage"));

        assertThat(end.isDecided()).isFalse();
    }

    @Test
    void shouldEndAsCorruptAfterTenChecksumErrorsAndSayWhatToDo()
    {
        for (int i = 1; i < MemberFaults.MAX_CHECKSUM_ERRORS; i++)
        {
            faults.onError(Component.ARCHIVE, new ArchiveException("CRC checksum mismatch at position=" + i));
        }
        assertThat(end.isDecided()).isFalse();

        faults.onError(Component.CONSENSUS_MODULE, new ArchiveException("CRC checksum mismatch at position=10"));

        assertThat(end.decision().status()).isEqualTo(ExitStatus.DATA_CORRUPT);
        assertThat(end.decision().reason()).contains("--delete-data").contains(folder.dir().toString());
    }

    @Test
    void shouldKeepTheFirstReason()
    {
        end.decide(ExitStatus.OK, "first");
        faults.onError(Component.SERVICE, new ConductorServiceTimeoutException("later"));

        assertThat(end.decision()).isEqualTo(new MemberEnd.Decision(ExitStatus.OK, "first"));
    }

    @Test
    void shouldPrintAnErrorInALoopOnceInFullAndThenByPowersOfTen()
    {
        for (int i = 0; i < 150; i++)
        {
            faults.onError(Component.ARCHIVE, new IllegalStateException("broken at " + i));
        }

        assertThat(log.toString(StandardCharsets.UTF_8).lines().filter((line) -> line.startsWith("1970")))
            .containsExactly(
                "1970-01-01T00:00:00Z archive: java.lang.IllegalStateException: broken at 0",
                "1970-01-01T00:00:00Z archive: seen 10 times: java.lang.IllegalStateException: broken at 9",
                "1970-01-01T00:00:00Z archive: seen 100 times: java.lang.IllegalStateException: broken at 99");
    }

    @Test
    void shouldPrintEventsOfTheClusterInALine()
    {
        faults.onError(Component.CONSENSUS_MODULE, new ClusterEvent("leader heartbeat timeout"));

        assertThat(log.toString(StandardCharsets.UTF_8).lines()).hasSize(1);
    }
}
