package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.MemberCounters;

class HealIT
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
    void shouldServeWithoutADamagedMemberAndHealItFromTheOthers() throws IOException, InterruptedException
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
            "heal --member-id 1");
        final List<OptionalLong> pids = others(victim);
        assertThat(pids).allMatch(OptionalLong::isPresent);

        assertRefused("unknown", "0 to 2", "--member-id", "3", "--yes");
        assertRefused("serving", "member 0 serves", "--member-id", "0", "--yes");
        assertRefused("not confirmed", "nothing was changed", "--member-id", "1");
        final CommandResult heal = cluster.command("heal", "--member-id", "1", "--yes");
        assertThat(heal.exitCode()).as("%s", heal).isZero();
        assertThat(heal.out()).contains("Member 1 serves again");
        assertThat(damagedCopies(victim)).hasSize(1);
        assertThat(cluster.status().isHealthy()).isTrue();

        end(victim);
        FileDamage.ZEROED.apply(victim.dir());
        final CommandResult second = cluster.command("start");
        assertThat(second.exitCode()).as("%s", second).isEqualTo(4);
        assertThat(second.err()).contains("unexpected end of recording");
        assertThat(Files.size(victim.logFile())).isLessThan(MAX_OUTPUT_LENGTH);
        final CommandResult healAgain = cluster.command("heal", "--member-id", "1", "--yes");
        assertThat(healAgain.exitCode()).as("%s", healAgain).isZero();
        assertThat(damagedCopies(victim)).as("both were kept").hasSize(2);
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
    void shouldHealAnyDamage(final FileDamage damage) throws IOException
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
        final CommandResult heal = cluster.command("heal", "--member-id", "1", "--yes");
        assertThat(heal.exitCode()).as("%s", heal).isZero();
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
            .doesNotContain("heal --member-id");
        assertThat(Files.size(empty.logFile())).isLessThan(MAX_OUTPUT_LENGTH);

        // Only member 0 is left, so what member 1 has may be the last other copy.
        final ClusterMember last = cluster.members().get(1);
        cluster.kill(last);
        final CommandResult heal = cluster.command("heal", "--member-id", "1", "--yes");
        assertThat(heal.exitCode()).as("%s", heal).isEqualTo(3);
        assertThat(heal.err()).contains("the data of member 1 may be");
        assertThat(last.hasLog()).isTrue();
        assertThat(damagedCopies(last)).isEmpty();
    }

    @Tag("slow")
    @Test
    void shouldKeepALogThatTheLeaderLacks() throws IOException
    {
        cluster.start();
        load();
        cluster.stop();
        final ClusterMember holder = cluster.members().get(1);
        for (final ClusterMember forgetful : List.of(cluster.members().get(0), cluster.members().get(2)))
        {
            forgetful.wipe();
            forgetful.start();
        }
        cluster.awaitLeader();

        assertKept(holder, "the log of member 1 is longer than that of the leader", "member 1 up to position");
        load();
        load();
        assertKept(holder, "the last message in the log of member 1, at position", "is not in that of the leader");
        FileDamage.FLIPPED.apply(holder.dir());
        FileDamage.RECORDING_LOG_DELETED.apply(holder.dir());
        assertKept(holder, "the last message in the log of member 1, at position", "is not in that of the leader");

        // As docs/FAULTS.md says, to give it up.
        holder.setAside("given-up");
        final CommandResult heal = cluster.command("heal", "--member-id", "1", "--yes");
        assertThat(heal.exitCode()).as("%s", heal).isZero();
        assertAuditClean();
    }

    private void assertKept(final ClusterMember holder, final String... reasons)
    {
        final CommandResult heal = cluster.command("heal", "--member-id", "1", "--yes");
        assertThat(heal.exitCode()).as("%s", heal).isEqualTo(3);
        assertThat(heal.err()).contains(reasons).contains("readable logs: member 0 up to position", "Which log to keep");
        assertThat(holder.hasLog()).isTrue();
    }

    @Tag("slow")
    @Test
    void shouldContinueWithTheLongestLogAfterTwoDifferentDamages() throws IOException, InterruptedException
    {
        cluster.start();
        load();
        awaitLevelLogs();
        cluster.stop();
        FileDamage.ZEROED.apply(cluster.members().get(0).dir());
        FileDamage.CATALOG.apply(cluster.members().get(1).dir());

        final CommandResult start = cluster.command("start");
        assertThat(start.exitCode()).as("%s", start).isEqualTo(3);
        assertThat(start.err()).contains("member 0 ended with status 5", "member 1 ended with status 5")
            .containsPattern("readable logs: member 0 up to position \\d+ \\(damaged\\), " +
                "member 1 up to position \\d+ \\(damaged\\), member 2 up to position \\d+ \\(longest\\)")
            .contains("More than one damaged member");
        assertThat(cluster.command("heal", "--member-id", "0", "--yes").err())
            .contains("run start first, which explains what to do", "(longest)");

        // As docs/FAULTS.md says.
        final Process copy = new ProcessBuilder("bash", "-euc", """
            mkdir member-0/damaged
            mv member-0/archive member-0/cluster member-0/damaged/
            cp -a member-2/archive member-2/cluster member-0/
            """).directory(cluster.baseDir().toFile()).inheritIO().start();
        assertThat(copy.waitFor()).isZero();
        assertThat(cluster.command("start").exitCode()).isEqualTo(4);
        final CommandResult heal = cluster.command("heal", "--member-id", "1", "--yes");
        assertThat(heal.exitCode()).as("%s", heal).isZero();
        load();
        assertAuditClean();
    }

    private void load()
    {
        final CommandResult run = cluster.loadClient(
            "--rate", "500", "--size", "288", "--warm-up", "0s", "--duration", "1s", "--connect-timeout", "60s",
            "--drain-timeout", "60s", "--delivery", "exactly-once", "--json", "--quiet", "--output=" + results);
        assertThat(run.json().get("unanswered").asLong()).as("%s", run).isZero();
    }

    /** A follower that lags has a shorter log than the others. */
    private void awaitLevelLogs()
    {
        assertThat(Deadline.in(EXIT_TIMEOUT_NS).await(() -> 1 == cluster.members().stream()
            .map((member) -> member.counters().map(MemberCounters::appendPosition)).distinct().count())).isTrue();
    }

    private void end(final ClusterMember member)
    {
        member.terminate();
        assertThat(member.awaitExit(EXIT_TIMEOUT_NS)).as("member %d ended after SIGTERM", member.memberId()).isTrue();
    }

    private List<OptionalLong> others(final ClusterMember victim)
    {
        return cluster.members().stream().filter((member) -> member != victim).map(ClusterMember::pid).toList();
    }

    private void assertRefused(final String why, final String reason, final String... options)
        throws IOException, InterruptedException
    {
        final File err = File.createTempFile("heal", ".err", results.toFile());
        final List<String> arguments = Stream.concat(
            Stream.of("heal", "--base-dir", cluster.baseDir().toString()), Stream.of(options)).toList();
        final Process process = new ProcessBuilder(EchoCluster.java("cluster-node.jar", arguments))
            .redirectInput(new File("/dev/null")).redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(err).start();
        assertThat(process.waitFor(EXIT_TIMEOUT_NS, TimeUnit.NANOSECONDS)).as(why).isTrue();
        assertThat(process.exitValue()).as(why).isEqualTo(2);
        assertThat(Files.readString(err.toPath())).as(why).contains(reason);
    }

    private static List<Path> damagedCopies(final ClusterMember member) throws IOException
    {
        try (Stream<Path> files = Files.list(member.dir()))
        {
            return files.filter((file) -> file.getFileName().toString().startsWith(ClusterMember.DAMAGED_PREFIX)).toList();
        }
    }

    private void assertAuditClean()
    {
        final JsonNode audit = cluster.loadClient("audit", "--json").json();
        assertThat(audit.get("clean").asBoolean()).as("%s", audit).isTrue();
    }
}
