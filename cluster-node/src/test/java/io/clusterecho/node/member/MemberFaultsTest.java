package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;

import io.aeron.archive.client.ArchiveException;
import io.aeron.cluster.client.ClusterEvent;
import io.aeron.cluster.client.ClusterException;
import io.aeron.cluster.service.ClusterTerminationException;
import io.aeron.exceptions.AeronException;
import io.aeron.exceptions.ConductorServiceTimeoutException;
import io.aeron.exceptions.StorageSpaceException;
import io.aeron.exceptions.TimeoutException;

import org.agrona.concurrent.AgentTerminationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.clusterecho.node.member.MemberFaults.Component;

class MemberFaultsTest
{
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private long nowNs = Long.MAX_VALUE;
    private final MemberFaults faults = new MemberFaults(
        new PrintStream(log), Clock.fixed(Instant.EPOCH, ZoneOffset.UTC), () -> nowNs, 2_000_000_000L);

    @Test
    void shouldEndNormallyWhenTheClusterIsShutDown()
    {
        faults.onError(Component.CONSENSUS_MODULE, new ClusterTerminationException(true));

        assertThat(faults.decision().status()).isEqualTo(ExitStatus.OK);
    }

    @Test
    void shouldLeaveItToTheConsensusModuleToEndAfterTheService()
    {
        faults.onError(Component.SERVICE, new ClusterTerminationException(true));

        assertThat(faults.isDecided()).isFalse();
        assertThat(faults.isTerminating).isTrue();
    }

    @Test
    void shouldNameTheCauseForWhichTheServiceDidNotStart()
    {
        faults.onError(Component.SERVICE, new AgentTerminationException(
            "failed to start service=0", new ClusterException("cannot load the snapshot of the echo service: odd")));

        assertThat(faults.decision().status()).isEqualTo(ExitStatus.OTHER);
        assertThat(faults.decision().reason()).contains("failed to start service=0", "cannot load the snapshot", "odd");
    }

    @Test
    void shouldNameEachCauseForWhichAServiceOfTheUserFailed()
    {
        faults.onError(Component.SERVICE, new AgentTerminationException(
            "failed to start service=0", new IllegalStateException("no prices", new IOException("prices.csv"))));

        assertThat(faults.decision().reason()).isEqualTo(
            "service: org.agrona.concurrent.AgentTerminationException: failed to start service=0: " +
            "java.lang.IllegalStateException: no prices: java.io.IOException: prices.csv");
    }

    @Test
    void shouldNameTheCauseForWhichAnotherComponentDidNotStart()
    {
        faults.onError(Component.CONSENSUS_MODULE, new AgentTerminationException(
            "failed to start", new ClusterException("no standard snapshot found")));

        assertThat(faults.decision().reason()).startsWith("consensus module: ").contains("no standard snapshot found");
    }

    @Test
    void shouldNotRepeatACauseThatAnErrorQuotes()
    {
        faults.onError(Component.SERVICE, new AgentTerminationException(
            new IllegalStateException(new IOException("prices.csv"))));

        assertThat(faults.decision().reason()).containsOnlyOnce("java.lang.IllegalStateException")
            .containsOnlyOnce("java.io.IOException: prices.csv");
    }

    @Test
    void shouldReportTheLastErrorOfAConsensusModuleThatEndedUnexpectedly()
    {
        faults.onError(Component.ARCHIVE, new IllegalStateException("odd"));
        faults.onError(Component.CONSENSUS_MODULE, new ClusterTerminationException(false));

        assertThat(faults.decision().status()).isEqualTo(ExitStatus.OTHER);
        assertThat(faults.decision().reason()).contains("archive").contains("odd");
    }

    @Test
    void shouldEndAsStalledAfterAPauseThatAeronDoesNotSurvive()
    {
        faults.onError(Component.SERVICE, new ConductorServiceTimeoutException("service interval exceeded"));

        assertThat(faults.decision().status()).isEqualTo(ExitStatus.STALLED);
    }

    @Test
    void shouldEndAsStalledWhenTheWallClockIsSetBackByMoreThanTheOthersWait()
    {
        faults.onClockLag(2_000);
        assertThat(faults.isDecided()).isFalse();

        faults.onClockLag(600_000);

        assertThat(faults.decision().status()).isEqualTo(ExitStatus.STALLED);
        assertThat(faults.decision().reason()).startsWith("the wall clock was set back by 600 s, and ");
    }

    @Test
    void shouldEndWhenTheArchiveIsOutOfSpace()
    {
        faults.onError(
            Component.ARCHIVE, new ArchiveException("low", new IOException("No space left on device"), 0));

        assertThat(faults.decision().status()).isEqualTo(ExitStatus.STORAGE);
    }

    @Test
    void shouldSurviveASessionThatTheDriverHasNoSpaceFor()
    {
        faults.onError(Component.DRIVER, new StorageSpaceException("insufficient usable storage"));

        assertThat(faults.isDecided()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "CRC checksum mismatch at position=96", "unexpected end of recording at position=96",
        "java.io.IOException: failed to read fragment header", "replayPosition=96 does not point to a valid frame" })
    void shouldEndAsCorruptWhenItCannotReplayItsOwnLog(final String reason)
    {
        for (int i = 1; i < Damage.MAX_FAILURES; i++)
        {
            failOwnReplay(reason, i);
            assertThat(faults.isDecided()).isFalse();
        }

        failOwnReplay(reason, Damage.MAX_FAILURES);

        assertThat(faults.decision().status()).isEqualTo(ExitStatus.DATA_CORRUPT);
        assertThat(faults.decision().reason()).contains(reason);
    }

    @Test
    void shouldNotBlameItsOwnDataForThatOfAnotherMember()
    {
        for (int i = 0; !faults.isDecided(); i++)
        {
            final String text = unreadable("CRC checksum mismatch at position=96", i);
            faults.onError(Component.ARCHIVE, thrownBy("io.aeron.archive.ReplicationSession", text));
            faults.onError(Component.CONSENSUS_MODULE, new ArchiveException(text));
            nowNs += MemberFaults.MIN_DURATION_NS / 100;
        }

        assertThat(faults.decision().status()).isEqualTo(ExitStatus.OTHER);
        assertThat(faults.decision().reason()).contains("the leader cannot read", "that of this member not");
    }

    @Test
    void shouldEndAnElectionThatFailsForEver()
    {
        for (int i = 0; i < 100; i++)
        {
            faults.onError(Component.CONSENSUS_MODULE, new ArchiveException("max concurrent replays reached 20"));
            nowNs += 2 * MemberFaults.QUIET_NS;
        }
        assertThat(faults.isDecided()).as("elections that fail now and then").isFalse();

        for (int i = 0; i < 1000; i++)
        {
            nowNs += MemberFaults.MIN_DURATION_NS / MemberFaults.MIN_FAILURES;
            faults.onError(
                Component.CONSENSUS_MODULE,
                new TimeoutException("failed to join catchup log", AeronException.Category.WARN));
        }
        assertThat(faults.isDecided()).as("elections of a busy machine").isFalse();
        nowNs += 2 * MemberFaults.QUIET_NS;

        for (int i = 0; i < MemberFaults.MIN_FAILURES; i++)
        {
            nowNs += MemberFaults.MIN_DURATION_NS / MemberFaults.MIN_FAILURES;
            faults.onError(Component.CONSENSUS_MODULE, new ArchiveException("max concurrent replays reached 20"));
            faults.onError(Component.CONSENSUS_MODULE, new ClusterEvent("no archive involved"));
        }
        assertThat(faults.isDecided()).isFalse();

        nowNs += MemberFaults.MIN_DURATION_NS / MemberFaults.MIN_FAILURES;
        faults.onError(Component.CONSENSUS_MODULE, new ArchiveException("max concurrent replays reached 20"));
        assertThat(faults.decision().status()).isEqualTo(ExitStatus.OTHER);
        assertThat(faults.decision().reason()).contains("the election failed for 10 s", "max concurrent replays");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "invalid position 0: start=201326592 stop=201326592 alignment=32                                       | DATA_CORRUPT",
        "requested replay start position=0 is less than recording start position=2097152 for recording 0       | DATA_CORRUPT",
        "invalid position 4096: start=0 stop=1024 alignment=32                                                 | OTHER" })
    void shouldEndForGoodWhenTheOthersHavePurgedTheLogThatItLacks(final String error, final ExitStatus status)
    {
        for (int i = 0; i <= MemberFaults.MIN_FAILURES; i++)
        {
            assertThat(faults.isDecided()).as("a leader gets it now and then").isFalse();
            nowNs += MemberFaults.MIN_DURATION_NS / MemberFaults.MIN_FAILURES;
            faults.onError(Component.CONSENSUS_MODULE, new ArchiveException(error));
        }
        assertThat(faults.decision().status()).isEqualTo(status);
        if (ExitStatus.DATA_CORRUPT == status)
        {
            assertThat(faults.decision().reason()).contains("the other members have purged the beginning of theirs");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "cannot extend recording 0 image.termBufferLength=65536 != rec.termBufferLength=1",
        "response for correlationId=3, error: failed to process replayChannel - invalid term buffer length: 1" })
    void shouldEndAsCorruptWhenItsCatalogCannotBeRight(final String reason)
    {
        for (int i = 0; i < Damage.MAX_FAILURES; i++)
        {
            faults.onError(Component.CONSENSUS_MODULE, new ArchiveException(reason));
        }

        assertThat(faults.decision().status()).isEqualTo(ExitStatus.DATA_CORRUPT);
    }

    @Test
    void shouldNotEndWhenItCannotReadWhatAnotherMemberCopies()
    {
        for (int i = 0; i < 100; i++)
        {
            final String text = unreadable("CRC checksum mismatch at position=96", i);
            faults.onError(Component.ARCHIVE, thrownBy("io.aeron.archive.ReplaySession", text));
            faults.onError(Component.CONSENSUS_MODULE, new ClusterEvent("catchup replay failed - " + text));
        }

        assertThat(faults.isDecided()).isFalse();
    }

    @Test
    void shouldEndAsCorruptWhenASnapshotThatCannotBeReadEndsAComponent()
    {
        faults.onError(
            Component.ARCHIVE, thrownBy("io.aeron.archive.ReplaySession", unreadable("CRC checksum mismatch at position=0", 1)));
        assertThat(faults.isDecided()).isFalse();

        faults.onLaunchError(new IllegalStateException("snapshot ended unexpectedly"));

        assertThat(faults.decision().status()).isEqualTo(ExitStatus.DATA_CORRUPT);
        assertThat(faults.decision().reason()).contains("snapshot ended unexpectedly", "CRC checksum mismatch at position=0");
    }

    @Test
    void shouldEndAsCorruptWhenAnIndexOfItsDataCannotBeRead()
    {
        faults.onLaunchError(new IllegalStateException("launch", thrownBy("io.aeron.archive.Catalog", "invalid version")));

        assertThat(faults.decision().status()).isEqualTo(ExitStatus.DATA_CORRUPT);
    }

    @Test
    void shouldEndAsCorruptWhenTheListOfTermsEndsTheConsensusModule()
    {
        faults.onError(
            Component.CONSENSUS_MODULE, thrownBy("io.aeron.cluster.RecordingLog", "snapshot missing for service at index 1"));
        faults.onError(Component.CONSENSUS_MODULE, new ClusterTerminationException(false));

        assertThat(faults.decision().status()).isEqualTo(ExitStatus.DATA_CORRUPT);
    }

    @Test
    void shouldNotTakeAReceiverThatIsGoneForDamage()
    {
        faults.onError(
            Component.ARCHIVE,
            thrownBy("io.aeron.archive.ReplaySession", unreadable("no connection established for replayChannel=aeron:ipc", 1)));
        faults.onError(Component.CONSENSUS_MODULE, new ClusterTerminationException(false));

        assertThat(faults.decision().status()).isEqualTo(ExitStatus.OTHER);
    }

    @Test
    void shouldKeepTheFirstReason()
    {
        faults.decide(ExitStatus.OK, "first");
        faults.onError(Component.SERVICE, new ConductorServiceTimeoutException("later"));

        assertThat(faults.decision()).isEqualTo(new MemberFaults.Decision(ExitStatus.OK, "first"));
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

    private void failOwnReplay(final String reason, final long replaySessionId)
    {
        final String text = unreadable(reason, replaySessionId);
        faults.onError(Component.ARCHIVE, thrownBy("io.aeron.archive.ReplaySession", text));
        faults.onError(Component.CONSENSUS_MODULE, new ArchiveException(text));
    }

    private static String unreadable(final String reason, final long replaySessionId)
    {
        return reason + ", recordingId=0, replaySessionId=" + replaySessionId + ", segmentFile=0-0.rec";
    }

    private static ArchiveException thrownBy(final String className, final String text)
    {
        final ArchiveException error = new ArchiveException(text);
        error.setStackTrace(new StackTraceElement[]{ new StackTraceElement(className, "doWork", null, -1) });
        return error;
    }
}
