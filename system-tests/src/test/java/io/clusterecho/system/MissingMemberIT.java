package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import io.clusterecho.control.member.ClusterMember;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A run in which everything is answered, but a member is missing. */
@Tag("slow")
@Timeout(600)
class MissingMemberIT
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(120);
    private static final int RUN_FAILED = 4;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3).withoutElections();

    @TempDir
    private Path results;

    @Test
    void shouldFailARunDuringWhichAFollowerWasStoppedOrKilled()
    {
        cluster.start();
        final ClusterMember follower = cluster.follower();
        final RunningCommand stopped = load();
        stopped.awaitProgress("measure");
        cluster.pause(follower);
        assertMissing(stopped.await(TIMEOUT_NS), follower, "its log did not grow");
        cluster.kill(follower);

        assertMissing(load().await(TIMEOUT_NS), follower, "not running");
    }

    private RunningCommand load()
    {
        return cluster.startLoadClient(
            "run", "--rate=200", "--warm-up=1s", "--duration=8s", "--connect-timeout=60s", "--drain-timeout=30s", "--json",
            "--output=" + results);
    }

    private static void assertMissing(final CommandResult result, final ClusterMember follower, final String how)
    {
        assertThat(result.exitCode()).as("%s", result).isEqualTo(RUN_FAILED);
        assertThat(result.json().path("answered").asLong()).as("%s", result).isEqualTo(1600);
        assertThat(result.json().at("/verdict/reasons").toString()).as("%s", result)
            .contains("member " + follower.memberId() + " took no part in the cluster for ").contains(how);
    }
}
