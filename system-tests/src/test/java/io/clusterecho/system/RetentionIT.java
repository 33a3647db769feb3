package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.control.member.ClusterMember;

class RetentionIT
{
    private static final long SEGMENT_LENGTH = 256 * 1024;
    /** Two intervals of load, marks and catalog; the load of the whole test is several times that. */
    private static final long MAX_DISK_LENGTH = 12L << 20;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3)
        .with("echo.log.term.length", String.valueOf(SEGMENT_LENGTH))
        .with("echo.max.message.length", "16384")
        .with("aeron.archive.segment.file.length", String.valueOf(SEGMENT_LENGTH));

    @TempDir
    private Path results;

    @Tag("slow")
    @Test
    void shouldBoundTheDiskAndLoseNothing() throws IOException
    {
        cluster.start();
        load();
        final Path oldest = cluster.members().get(0).dir().resolve("archive").resolve(
            cluster.members().get(0).storage().recordingId() + "-0.rec");
        final byte[] purged = Files.readAllBytes(oldest);
        retain(0, "log from position 0, before 0; 1 snapshots");
        load();
        retain(0, "2 snapshots, before 2");
        load();
        // As a member leaves it that is killed while it purges.
        assertThat(oldest).doesNotExist();
        Files.write(oldest, purged);
        retain(0, "2 snapshots, before 3");
        assertThat(oldest).doesNotExist();
        assertThat(cluster.members()).allSatisfy((member) ->
        {
            assertThat(member.storage().startPosition()).isPositive();
            assertThat(member.storage().snapshots()).hasSize(2);
        });

        final ClusterMember killed = cluster.killLeader();
        cluster.awaitLeader();
        load();
        retain(3, "member " + killed.memberId() + " is down and may need the log, so nothing was purged: run start");
        assertThat(cluster.command("start").exitCode()).isZero();
        load();
        retain(0, "2 snapshots");

        cluster.stop();
        assertThat(cluster.command("start").exitCode()).isZero();
        load();
        assertThat(cluster.members()).allSatisfy(
            (member) -> assertThat(member.storage().diskLength()).isLessThan(MAX_DISK_LENGTH));
        final JsonNode audit = cluster.loadClient("audit", "--json").json();
        assertThat(audit.get("clean").asBoolean()).as("%s", audit).isTrue();
        assertThat(audit.get("notes").toString()).contains("the log was trimmed");
    }

    @Tag("fault")
    @Test
    void shouldBringBackAWipedMemberAfterAPurgeAndProveWhatWasPurged() throws IOException
    {
        cluster.start();
        final RunningCommand failover = cluster.startLoadClient(
            "failover", "--delivery=exactly-once", "--fault=wipe", "--victim=leader", "--cycles=1", "--rate=2000",
            "--warm-up=6s", "--drain-timeout=60s", "--json", "--output=" + results);
        failover.awaitProgress("warming up");
        for (int i = 0; i < 3; i++)
        {
            retain(0, "Member 2");
        }
        assertThat(cluster.members()).allSatisfy((member) -> assertThat(member.storage().startPosition()).isPositive());

        final JsonNode result = failover.await(120_000_000_000L).json();
        assertThat(result.at("/audit/clean").asBoolean()).as("%s", result.get("audit")).isTrue();
        assertThat(result.get("acknowledgedLost").asLong()).isZero();
        assertThat(result.get("unanswered").asLong()).isZero();
        assertThat(result.get("cycles")).singleElement().satisfies(
            (cycle) -> assertThat(cycle.get("recovered").asBoolean()).as("%s", cycle).isTrue());
        final JsonNode journal = cluster.loadClient("audit", "--json", "--journal=" + journalFile()).json().get("journal");
        assertThat(journal.get("acknowledgedInSnapshot").asLong()).as("%s", journal).isPositive();
        assertThat(journal.path("acknowledgedPurged").asLong()).as("%s", journal).isZero();
        assertThat(journal.get("acknowledgedLost").asLong()).as("%s", journal).isZero();

        // Unless it is given a snapshot it cannot return.
        final ClusterMember wiped = cluster.follower();
        cluster.kill(wiped);
        wiped.wipe();
        final CommandResult start = cluster.command("start");
        assertThat(start.exitCode()).as("%s", start).isEqualTo(4);
        assertThat(start.err()).contains("purged the beginning of theirs", "stop --delete-data");
        cluster.startWiped(wiped);
    }

    private Path journalFile() throws IOException
    {
        try (Stream<Path> files = Files.walk(results))
        {
            return files.filter((file) -> file.endsWith("journal.bin")).findFirst().orElseThrow();
        }
    }

    private void retain(final int exitCode, final String... texts)
    {
        final CommandResult retain = cluster.command("retain");
        assertThat(retain.exitCode()).as("%s", retain).isEqualTo(exitCode);
        assertThat(retain.out() + retain.err()).contains(texts);
    }

    private void load()
    {
        final CommandResult run = cluster.loadClient(
            "--rate", "3000", "--size", "288", "--warm-up", "0s", "--duration", "1s", "--connect-timeout", "60s",
            "--drain-timeout", "60s", "--delivery", "exactly-once", "--json", "--quiet", "--output=" + results);
        assertThat(run.json().get("unanswered").asLong()).as("%s", run).isZero();
    }
}
