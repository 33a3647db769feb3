package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.MemberCounters;
import io.clusterecho.control.member.Node;

class BackupIT
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long NEAR_BYTES = 64 << 10;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3).withoutElections()
        .with("echo.backup", "true").with("echo.backup.interval", "2s");

    @TempDir
    private Path results;

    @Tag("slow")
    @Test
    void shouldCatchUpAfterAKillAndMeasureItsLag()
    {
        cluster.start();
        final Node backup = cluster.local().backup().orElseThrow();
        final RunningCommand load = cluster.startLoadClient(
            "--rate", "1k", "--size", "288", "--warm-up", "0s", "--duration", "25s", "--connect-timeout", "60s",
            "--drain-timeout", "1s", "--delivery", "exactly-once", "--json", "--quiet", "--output=" + results);
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
        await("the backup catches up", () -> backup.backupCounters().map(BackupCounters::position).orElse(0L) > before &&
            lag(backup) < NEAR_BYTES);
        await("the backup has the snapshot", () -> backup.backupCounters().map(BackupCounters::snapshotCount).orElse(0L) > 0 ||
            !backup.storage().snapshots().isEmpty());

        final JsonNode run = load.await(TIMEOUT_NS).json();
        final JsonNode lag = run.get("backup");
        assertThat(lag.get("maxBytes").asLong()).as("%s", lag).isGreaterThan(NEAR_BYTES);
        assertThat(lag.get("maxNs").asLong()).isPositive();
        assertThat(lag.get("down").asInt()).isPositive();

        cluster.members().forEach(ClusterMember::kill);
        cluster.members().forEach((member) -> assertThat(member.awaitExit(TIMEOUT_NS)).isTrue());
        cluster.members().forEach(ClusterMember::deleteData);
        assertThat(cluster.command("start").err()).contains("no member has a log, but the backup", "move that folder away");

        final CommandResult stop = cluster.command("stop", "--delete-data");
        assertThat(stop.out()).contains("Stopped the backup", "Deleted " + backup.dir());
        assertThat(backup.dir()).doesNotExist();
        cluster.assertNothingIsLeft();
        assertThat(backup.aeronDir()).doesNotExist();
    }

    private long committed()
    {
        return cluster.members().stream().map(ClusterMember::counters).flatMap(Optional::stream)
            .mapToLong(MemberCounters::commitPosition).max().orElse(0);
    }

    private long lag(final Node backup)
    {
        final long copied = backup.backupCounters().map(BackupCounters::position).orElse(0L);
        return committed() - copied;
    }

    private static void await(final String what, final BooleanSupplier condition)
    {
        assertThat(Deadline.in(TIMEOUT_NS).await(condition)).as(what).isTrue();
    }
}
