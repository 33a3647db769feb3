package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.clusterecho.control.member.ClusterMember;

class DamagedDataIT
{
    private static final long EXIT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long MAX_OUTPUT_LENGTH = 1L << 20;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3);

    @TempDir
    private Path results;

    @Tag("any-driver")
    @Tag("matrix-17")
    @Test
    void shouldServeWithoutADamagedMember() throws IOException, InterruptedException
    {
        cluster.start();
        load();
        cluster.stop();
        final ClusterMember victim = cluster.members().get(1);
        FileDamage.FLIPPED.apply(victim.dir());

        final CommandResult start = cluster.command("start");
        assertThat(start.exitCode()).as("%s", start).isEqualTo(4);
        assertThat(start.err()).contains(
            "2 of 3 members serve", "member 1 ended with status 5 (damaged data)", "CRC checksum mismatch",
            "for a new cluster, delete the data of all members: ", "stop --delete-data");
        final List<OptionalLong> pids = others(victim);
        assertThat(pids).allMatch(OptionalLong::isPresent);

        // As docs/FAULTS.md says.
        final Process move = new ProcessBuilder("bash", "-euc", "mkdir ../damaged && mv archive cluster ../damaged/")
            .directory(victim.dir().toFile()).inheritIO().start();
        assertThat(move.waitFor()).isZero();
        assertServesAgain();

        victim.terminate();
        assertThat(victim.awaitExit(EXIT_TIMEOUT_NS)).as("ended after SIGTERM").isTrue();
        FileDamage.ZEROED.apply(victim.dir());
        final CommandResult second = cluster.command("start");
        assertThat(second.exitCode()).as("%s", second).isEqualTo(4);
        assertThat(second.err()).contains("unexpected end of recording");
        assertThat(Files.size(victim.logFile())).isLessThan(MAX_OUTPUT_LENGTH);
        victim.wipe();
        assertServesAgain();
        assertThat(others(victim)).as("the others were not touched").isEqualTo(pids);
        assertAuditClean();
    }

    @Tag("matrix-17")
    @Tag("matrix-18")
    @Tag("matrix-19")
    @Tag("matrix-20")
    @Tag("matrix-21")
    @Tag("fault")
    @ParameterizedTest
    @EnumSource(FileDamage.class)
    void shouldRefuseAnyDamage(final FileDamage damage) throws IOException
    {
        cluster.start();
        load();
        if (damage.name().startsWith("SNAPSHOT"))
        {
            assertThat(cluster.command("snapshot").exitCode()).isZero();
        }
        load();
        cluster.stop();
        final ClusterMember victim = cluster.members().get(1);
        damage.apply(victim.dir());

        final CommandResult start = cluster.command("start");
        assertThat(Files.size(victim.logFile())).isLessThan(MAX_OUTPUT_LENGTH);
        assertThat(start.exitCode()).as("%s", start).isEqualTo(4);
        assertThat(start.err()).contains("member 1 ended with status 5 (damaged data)");
        victim.wipe();
        assertServesAgain();
        load();
        assertAuditClean();
    }

    @Tag("slow")
    @Test
    void shouldNotBlameAnIntactMemberForTheDamageOfTheOthers() throws IOException
    {
        cluster.start();
        load();
        assertThat(cluster.command("snapshot").exitCode()).isZero();
        cluster.stop();
        // They start from the snapshot and do not read what precedes it, which the empty member needs.
        FileDamage.FLIPPED.apply(cluster.members().get(0).dir());
        FileDamage.FLIPPED.apply(cluster.members().get(1).dir());
        final ClusterMember empty = cluster.members().get(2);
        empty.wipe();

        final CommandResult start = cluster.command("start");
        assertThat(start.exitCode()).as("%s", start).isEqualTo(4);
        assertThat(start.err()).contains("member 2 ended with status 7 (other error)", "that of this member not")
            .doesNotContain("--delete-data");
        assertThat(Files.size(empty.logFile())).isLessThan(MAX_OUTPUT_LENGTH);
    }

    @Tag("slow")
    @Test
    void shouldSayHowToBeginAnewWhenNoMajorityCanReadItsData() throws IOException
    {
        cluster.start();
        load();
        cluster.stop();
        FileDamage.ZEROED.apply(cluster.members().get(0).dir());
        FileDamage.CATALOG.apply(cluster.members().get(1).dir());

        final CommandResult start = cluster.command("start");
        assertThat(start.exitCode()).as("%s", start).isEqualTo(3);
        assertThat(start.err()).contains("member 0 ended with status 5", "member 1 ended with status 5",
            "no majority can read its data; for a new cluster, delete the data of all members: ", "stop --delete-data");

        assertThat(cluster.command("stop", "--delete-data").exitCode()).isZero();
        assertServesAgain();
        load();
        assertAuditClean();
    }

    private void assertServesAgain()
    {
        final CommandResult start = cluster.command("start");
        assertThat(start.exitCode()).as("%s", start).isZero();
        assertThat(cluster.status().isHealthy()).isTrue();
    }

    private void load()
    {
        final CommandResult run = cluster.loadClient(
            "--rate", "500", "--size", "288", "--warm-up", "0s", "--duration", "1s", "--connect-timeout", "60s",
            "--drain-timeout", "60s", "--delivery", "exactly-once", "--json", "--quiet", "--output=" + results);
        assertThat(run.json().get("unanswered").asLong()).as("%s", run).isZero();
    }

    private List<OptionalLong> others(final ClusterMember victim)
    {
        return cluster.members().stream().filter((member) -> member != victim).map(ClusterMember::pid).toList();
    }

    private void assertAuditClean()
    {
        final JsonNode audit = cluster.loadClient("audit", "--json").json();
        assertThat(audit.get("clean").asBoolean()).as("%s", audit).isTrue();
    }
}
