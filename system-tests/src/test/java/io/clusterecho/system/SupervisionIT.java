package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.cluster.codecs.MessageHeaderEncoder;
import io.aeron.cluster.codecs.SessionConnectRequestEncoder;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import io.clusterecho.control.cluster.RecordedClusters;
import io.clusterecho.control.member.BackupCounters;
import io.clusterecho.control.member.Backup;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.Deadline;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Supervised members that really fail.
 */
@Tag("slow")
@Timeout(600)
class SupervisionIT
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(120);
    private static final int INGRESS_STREAM_ID = 101;
    private static final int OUT_OF_MEMORY = 3;
    private static final List<Integer> GOOD_OR_NOT = List.of(0, 4);

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3);

    @TempDir
    private Path results;

    @Test
    void shouldLoseTheLeaderToAnAbsurdLengthForGoodWithoutSupervision()
    {
        cluster.start();
        final ClusterMember leader = cluster.awaitLeader();
        sendAbsurdLength(leader);

        assertThat(leader.awaitExit(TIMEOUT_NS)).isTrue();
        assertThat(leader.exitCode()).hasValue(OUT_OF_MEMORY);
        assertThat(cluster.command("status").out()).doesNotContain("supervisor");
    }

    @Tag("matrix-27")
    @Test
    void shouldHaveThreeMembersAgainAfterAnAbsurdLength()
    {
        final CommandResult start = cluster.command("start", "--supervise", "--json");
        assertThat(start.exitCode()).as("%s", start).isZero();
        final long supervisor = start.json().path("supervisorPid").asLong(-1);
        assertThat(ProcessHandle.of(supervisor)).isPresent();
        final ClusterMember leader = cluster.awaitLeader();
        final long pid = leader.pid().orElseThrow();
        sendAbsurdLength(leader);

        assertThat(Deadline.in(TIMEOUT_NS).await(() -> leader.pid().orElse(pid) != pid)).as("started again").isTrue();
        assertThat(Deadline.in(TIMEOUT_NS).await(cluster.local()::isSettled)).as("with three members").isTrue();
        cluster.awaitEchoes();
        final CommandResult status = cluster.command("status");
        assertThat(status.exitCode()).as("%s", status).isZero();
        assertThat(status.out())
            .contains("member " + leader.memberId() + "  supervisor: started again 1 time at ")
            .contains("supervisor  pid " + supervisor + " starts failed members again");

        shouldLeaveTheVictimsOfALabToIt();
        shouldNotEndMembersWithTheSupervisor(supervisor);
        final CommandResult stop = cluster.command("stop");
        assertThat(stop.out()).as("%s", stop).startsWith("Stopped member 0, 1, 2");
        assertThat(ProcessHandle.allProcesses().filter((process) -> process.info().commandLine()
            .map((line) -> line.contains("supervise") && line.contains(cluster.baseDir().toString())).orElse(false))).isEmpty();
        cluster.assertNothingIsLeft();
    }

    @Test
    void shouldStartAKilledBackupAgain()
    {
        cluster.with("echo.backup", "true").with("echo.backup.interval", "2s");
        final CommandResult start = cluster.command("start", "--supervise");
        assertThat(start.exitCode()).as("%s", start).isZero();
        final Backup backup = RecordedClusters.in(cluster.baseDir(), null).orElseThrow().backup().orElseThrow();
        final long pid = backup.pid().orElseThrow();
        backup.kill();

        assertThat(Deadline.in(TIMEOUT_NS).await(() -> backup.pid().orElse(pid) != pid)).as("started again").isTrue();
        assertThat(Deadline.in(TIMEOUT_NS).await(() -> backup.counters().map(BackupCounters::isCopying).orElse(false)))
            .as("it copies again").isTrue();
        final CommandResult status = cluster.command("status");
        assertThat(status.exitCode()).as("%s", status).isZero();
        assertThat(status.out()).contains("backup    supervisor: started again 1 time at ");
        assertThat(cluster.command("stop").out()).contains("and the backup");
        assertThat(backup.isAlive()).isFalse();
    }

    private void shouldLeaveTheVictimsOfALabToIt()
    {
        final ClusterMember victim = cluster.awaitLeader();
        final CommandResult result = cluster.loadClient(
            "failover", "--rate=200", "--warm-up=0s", "--gap=1s", "--limit=120s", "--connect-timeout=60s", "--json",
            "--fault=kill", "--victim=" + victim.memberId(), "--cycles=1", "--return-after=8s", "--output=" + results);
        // A busy machine may stall the client.
        assertThat(GOOD_OR_NOT).as("%s", result).contains(result.exitCode());
        assertThat(result.json().at("/cycles/0/victimReturnedNs").asLong()).as("%s", result)
            .isGreaterThanOrEqualTo(TimeUnit.SECONDS.toNanos(8));
        assertThat(Deadline.in(TIMEOUT_NS).await(() -> restarts(victim).startsWith("was started by another command at ")))
            .as("%s", restarts(victim)).isTrue();
    }

    private void shouldNotEndMembersWithTheSupervisor(final long supervisor)
    {
        final List<Long> pids = cluster.members().stream().map((member) -> member.pid().orElseThrow()).toList();
        final ProcessHandle process = ProcessHandle.of(supervisor).orElseThrow();
        process.destroyForcibly();
        assertThat(Deadline.in(TIMEOUT_NS).await(() -> !process.isAlive())).isTrue();

        final CommandResult alone = cluster.command("status");
        assertThat(alone.exitCode()).as("%s", alone).isZero();
        assertThat(alone.out()).contains("supervisor  has ended: failed members are not started again");
        assertThat(cluster.members().stream().map((member) -> member.pid().orElseThrow()).toList()).isEqualTo(pids);

        final CommandResult again = cluster.command("start", "--supervise", "--json");
        assertThat(again.exitCode()).as("%s", again).isZero();
        assertThat(again.json().path("supervisorPid").asLong()).isPositive().isNotEqualTo(supervisor);
        assertThat(again.json().path("alreadyRunning").asBoolean()).isTrue();
    }

    private String restarts(final ClusterMember member)
    {
        for (final JsonNode one : cluster.command("status", "--json").json().path("members"))
        {
            if (one.path("memberId").asInt() == member.memberId())
            {
                return one.path("restarts").asText();
            }
        }
        throw new AssertionError("no member " + member.memberId());
    }

    /**
     * A connect request whose channel claims to have two gigabytes.
     */
    private static void sendAbsurdLength(final ClusterMember leader)
    {
        final UnsafeBuffer request = new UnsafeBuffer(new byte[128]);
        final SessionConnectRequestEncoder encoder = new SessionConnectRequestEncoder()
            .wrapAndApplyHeader(request, 0, new MessageHeaderEncoder());
        encoder.correlationId(1).responseStreamId(102).version(0);
        final int length = MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
        request.putInt(length, Integer.MAX_VALUE);
        try (MediaDriver driver = MediaDriver.launchEmbedded(new MediaDriver.Context()
            .threadingMode(ThreadingMode.SHARED).dirDeleteOnShutdown(true));
            Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
            Publication publication = aeron.addExclusivePublication(
                "aeron:udp?endpoint=" + leader.endpoints().ingress(), INGRESS_STREAM_ID))
        {
            assertThat(Deadline.in(TIMEOUT_NS).await(() -> publication.offer(request, 0, length + Integer.BYTES) > 0))
                .as("sent").isTrue();
            assertThat(leader.awaitExit(TIMEOUT_NS)).as("it reads the request").isTrue();
        }
    }
}
