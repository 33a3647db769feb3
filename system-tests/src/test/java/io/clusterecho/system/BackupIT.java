package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.control.member.BackupCounters;
import io.clusterecho.control.member.Backup;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.MemberCounters;

class BackupIT
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long NEAR_BYTES = 64 << 10;
    /** Of a message in the log: payload, session header, frame header, aligned. */
    private static final long FRAME_LENGTH = 352;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3).with("echo.backup", "true").with("echo.backup.interval", "2s");

    @TempDir
    private Path results;

    @Tag("slow")
    @Test
    void shouldRestoreAClusterAndLoseNoMoreThanTheLagThatWasMeasured() throws IOException
    {
        cluster.start();
        final Backup backup = cluster.local().backup().orElseThrow();
        final RunningCommand load = cluster.startLoadClient(
            "--rate", "1k", "--size", "288", "--warm-up", "0s", "--duration", "25s", "--connect-timeout", "60s",
            "--drain-timeout", "1s", "--delivery", "exactly-once", "--journal", "--json", "--quiet", "--output=" + results);
        await("a load", () -> committed() > NEAR_BYTES);
        assertThat(cluster.command("snapshot").exitCode()).isZero();

        backup.kill();
        assertThat(backup.awaitExit(TIMEOUT_NS)).isTrue();
        final long before = committed();
        final CommandResult status = cluster.command("status");
        assertThat(status.exitCode()).as("%s", status).isEqualTo(3);
        assertThat(status.out()).contains("the backup ended without a status, as after a kill; the members serve without it");
        await("the members serve without the backup", () -> committed() > before + NEAR_BYTES);

        final CommandResult again = cluster.command("start");
        assertThat(again.exitCode()).as("%s", again).isZero();
        assertThat(again.out()).contains("The backup was started now");
        await("the backup catches up", () -> backup.counters().map(BackupCounters::position).orElse(0L) > before &&
            lag(backup) < NEAR_BYTES);
        await("the backup has the snapshot", () -> backup.counters().map(BackupCounters::snapshotCount).orElse(0L) > 0 ||
            !backup.storage().snapshots().isEmpty());

        cluster.members().forEach(ClusterMember::kill);
        cluster.members().forEach((member) -> assertThat(member.awaitExit(TIMEOUT_NS)).isTrue());
        assertThat(cluster.command("restore", "--all", "--yes").err()).contains("has a log", "--aside");
        cluster.members().forEach(ClusterMember::deleteData);
        assertThat(cluster.command("start").err()).contains("no member has a log, but the backup", "restore --all");

        final JsonNode run = load.await(TIMEOUT_NS).json();
        final JsonNode lag = run.get("backup");
        assertThat(lag.get("maxBytes").asLong()).as("%s", lag).isGreaterThan(NEAR_BYTES);
        assertThat(lag.get("maxNs").asLong()).isPositive();
        assertThat(lag.get("down").asInt()).isPositive();

        final CommandResult restore = cluster.command("restore", "--all", "--yes");
        assertThat(restore.exitCode()).as("%s", restore).isZero();
        assertThat(restore.out()).contains("The cluster serves again", "and the snapshot at");
        assertThat(cluster.status().isHealthy()).isTrue();
        final JsonNode audit = cluster.loadClient(
            "audit", "--json", "--journal", journal(run).toString()).json();
        final long lost = audit.get("journal").get("acknowledgedLost").asLong();
        assertThat(audit.get("journal").get("acknowledged").asLong()).isPositive();
        assertThat(lost * FRAME_LENGTH).as("%d messages lost; lag %s", lost, lag)
            .isLessThanOrEqualTo(lag.get("lastBytes").asLong());

        final ClusterMember empty = cluster.follower();
        cluster.kill(empty);
        empty.wipe();
        final CommandResult one = cluster.command("restore", "--member-id", String.valueOf(empty.memberId()), "--yes");
        assertThat(one.exitCode()).as("%s", one).isZero();
        assertThat(one.out()).contains("Member " + empty.memberId() + " serves again");
        await("the backup copies from the restored cluster", () -> lag(backup) < NEAR_BYTES &&
            backup.counters().map(BackupCounters::isCopying).orElse(false));

        final CommandResult stop = cluster.command("stop", "--delete-data");
        assertThat(stop.out()).contains("and the backup", "Kept the backup in");
        assertThat(backup.hasLog()).isTrue();
        assertThat(cluster.command("stop", "--delete-data", "--delete-backup").out()).contains("Deleted " + backup.dir());
        assertThat(backup.dir()).doesNotExist();
        cluster.assertNothingIsLeft();
        assertThat(backup.aeronDir()).doesNotExist();
    }

    private static Path journal(final JsonNode run)
    {
        final Path file = Path.of(run.get("resultFolder").asText()).resolve("journal.bin");
        assertThat(Files.exists(file)).as("%s", file).isTrue();
        return file;
    }

    private long committed()
    {
        return cluster.members().stream().map(ClusterMember::counters).flatMap(Optional::stream)
            .mapToLong(MemberCounters::commitPosition).max().orElse(0);
    }

    private long lag(final Backup backup)
    {
        final long copied = backup.counters().map(BackupCounters::position).orElse(0L);
        return committed() - copied;
    }

    private static void await(final String what, final BooleanSupplier condition)
    {
        assertThat(Deadline.in(TIMEOUT_NS).await(condition)).as(what).isTrue();
    }
}
