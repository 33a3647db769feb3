package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.testing.DriverCommand;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Clients that use the media driver of a member: over UDP of any, in its memory of the leader. */
@Tag("slow")
class SharedDriverIT
{
    private static final String ALLOWED = "aeron.cluster.ingress.ipc.allowed";
    private static final int COUNT = 200;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3).withoutElections();

    @TempDir
    private Path dir;

    @Test
    void shouldExchangeMessagesInTheMemoryOfTheLeadersDriver()
    {
        cluster.withDriver("java").with(ALLOWED, "true").start();
        final ClusterMember leader = cluster.awaitLeader();

        assertAnswered(run(leader, "--ipc-ingress", "--connections=2"));
        // The driver of any member will do over UDP, but a follower takes no messages from memory.
        assertAnswered(run(cluster.follower()));
        final CommandResult refused = run(cluster.follower(), "--ipc-ingress", "--connect-timeout=3s");
        assertThat(refused.exitCode()).as("%s", refused).isEqualTo(3);
        assertThat(refused.err()).contains("no session with the cluster at aeron:ipc, whose leader must use the driver of this");

        cluster.stop();
        cluster.assertNothingIsLeft();
    }

    @Test
    void shouldShareTheExternalDriverOfTheLeader() throws IOException
    {
        final Path script = Files.writeString(
            dir.resolve("driver.sh"), "exec " + String.join(" ", DriverCommand.in(Path.of("$AERON_DIR"))) + "\n");
        cluster.withDriver("external").with("echo.driver.command", "sh " + script).with(ALLOWED, "true").start();

        assertAnswered(run(cluster.awaitLeader(), "--ipc-ingress"));
        assertAnswered(run(cluster.awaitLeader()));
        // A driver of its own, beside those of the members.
        assertAnswered(cluster.loadClientAlone(arguments("--driver=java")));
        cluster.stop();
        cluster.assertNothingIsLeft();
    }

    private CommandResult run(final ClusterMember member, final String... options)
    {
        final List<String> all = new ArrayList<>(List.of("--driver=external", "--driver-dir=" + member.aeronDir()));
        all.addAll(List.of(options));
        return cluster.loadClientAlone(arguments(all.toArray(new String[0])));
    }

    private String[] arguments(final String... options)
    {
        final List<String> all = new ArrayList<>(List.of(
            "run", "--base-dir=" + cluster.baseDir(), "--rate=100", "--warm-up=500ms", "--duration=2s", "--json",
            "--output=" + dir.resolve("results")));
        all.addAll(List.of(options));
        return all.toArray(new String[0]);
    }

    private static void assertAnswered(final CommandResult run)
    {
        // 4 if a shared machine missed the rate.
        assertThat(run.exitCode()).as("%s", run).isIn(0, 4);
        assertThat(run.json().get("answered").asInt()).as("%s", run).isEqualTo(COUNT);
    }
}
