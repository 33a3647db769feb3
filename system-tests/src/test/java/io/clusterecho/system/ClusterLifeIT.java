package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.control.member.ClusterMember;

class ClusterLifeIT
{
    /** Index among the fields after the name in /proc/PID/stat. */
    private static final int SESSION = 3;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3);

    @TempDir
    private Path results;

    @Tag("matrix-4")
    @Test
    void shouldStartAgainOnlyTheMemberThatWasKilledAndLeaveNothingBehind()
    {
        final CommandResult first = cluster.command("start", "--json");
        assertThat(first.exitCode()).as("%s", first).isZero();
        assertThat(startedNow(first)).containsExactly(true, true, true);
        final String start = memberStart();
        final String load = first.json().get("load").asText();
        assertThat(load).contains("load-client");
        final CommandResult run = cluster.loadClientAlone((load.substring(load.indexOf("run ")) +
            " --rate 500 --warm-up 0s --duration 1s --json --output " + results).split(" "));
        assertThat(run.json().get("answered").asInt()).as("%s", run).isPositive();

        final CommandResult well = cluster.command("status", "--json");
        assertThat(well.exitCode()).as("%s", well).isZero();
        assertThat(well.json().get("leaders").asInt()).isEqualTo(1);
        assertThat(well.json().get("well").asBoolean()).isTrue();

        final ClusterMember victim = cluster.follower();
        final CommandResult one = cluster.command("status", "--member-id", String.valueOf(victim.memberId()), "--json");
        assertThat(one.exitCode()).as("%s", one).isZero();
        assertThat(one.json().get("well").asBoolean()).as("as the exit status: %s", one).isTrue();
        final List<OptionalLong> others = pidsWithout(victim);
        // Like Ctrl-C in the terminal of the start command: members share its session and process group and must ignore it.
        others.forEach((pid) -> interrupt(pid.getAsLong()));
        cluster.kill(victim);
        assertThat(cluster.command("status", "--json").exitCode()).isEqualTo(3);

        final CommandResult second = cluster.command("start", "--json");
        assertThat(second.exitCode()).as("%s", second).isZero();
        assertThat(startedNow(second).indexOf(true)).isEqualTo(victim.memberId());
        assertThat(startedNow(second).lastIndexOf(true)).isEqualTo(victim.memberId());
        assertThat(pidsWithout(victim)).isEqualTo(others);
        assertThat(memberStart()).as("the others still run").isEqualTo(start);

        final CommandResult different = cluster.command("start", "--fsync", "1");
        assertThat(different.exitCode()).isEqualTo(2);
        assertThat(different.err()).contains("echo.fsync=0 there, 1 requested");

        // A killed member leaves its driver's folder behind.
        cluster.kill(cluster.follower());
        final CommandResult stop = cluster.command("stop");
        assertThat(stop.exitCode()).as("%s", stop).isZero();
        cluster.assertNothingIsLeft();
        assertThat(cluster.command("stop").out()).contains("Nothing runs");

        cluster.start();
        assertThat(memberStart()).isNotEqualTo(start);
        cluster.stop();
    }

    @Test
    void shouldKeepTheServiceStateOverAStop()
    {
        cluster.start();
        assertThat(cluster.command("snapshot").exitCode()).isZero();
        final CommandResult stop = cluster.command("stop");
        assertThat(stop.exitCode()).as("%s", stop).isZero();
        cluster.assertNothingIsLeft();

        cluster.start();
        final JsonNode members = cluster.command("status", "--json").json().get("members");
        // The probe of the second start was answered as already applied before the stop.
        assertThat(members).allSatisfy(
            (member) ->
            {
                assertThat(member.get("service").get("applied").asInt()).isEqualTo(1);
                assertThat(member.get("service").get("clients").asInt()).isEqualTo(1);
            });
        cluster.stop();
        cluster.assertNothingIsLeft();
    }

    private String memberStart()
    {
        final CommandResult run = cluster.loadClient(
            "--rate", "100", "--duration", "1s", "--warm-up", "1s", "--json",
            "--output", cluster.baseDir().resolve("results").toString());
        return run.json().at("/memberStart/id").textValue();
    }

    private static void interrupt(final long pid)
    {
        try
        {
            assertThat(new ProcessBuilder("kill", "-INT", String.valueOf(pid)).start().waitFor()).isZero();
            final String fields = Files.readString(Path.of("/proc/" + pid + "/stat")).replaceFirst(".*\\) ", "");
            final String own = Files.readString(Path.of("/proc/self/stat")).replaceFirst(".*\\) ", "");
            assertThat(fields.split(" ")[SESSION]).isEqualTo(own.split(" ")[SESSION]);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final InterruptedException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private static List<Boolean> startedNow(final CommandResult start)
    {
        return start.json().get("members").findValues("startedNow").stream().map(JsonNode::asBoolean).toList();
    }

    private List<OptionalLong> pidsWithout(final ClusterMember one)
    {
        return cluster.members().stream().filter((member) -> member != one).map(ClusterMember::pid).toList();
    }
}
