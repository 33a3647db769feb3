package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.MemberCounters;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A follower whose service needs more time for a message than there is between two messages. */
@Tag("fault")
class SlowFollowerIT
{
    private static final int FOLLOWER = 1;
    private static final long DELAY_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long CATCH_UP_TIMEOUT_NS = TimeUnit.MINUTES.toNanos(5);

    @RegisterExtension
    private final EchoCluster cluster = Mutants.cluster();

    @TempDir
    private Path folder;

    @Test
    void shouldServeWithoutItAndLetItCatchUp() throws IOException
    {
        final Mutants mutants = new Mutants(cluster, folder).slow(FOLLOWER, DELAY_NS);
        cluster.launchWith(mutants.launcher(1)).start();
        assertThat(cluster.awaitLeader().memberId()).isEqualTo(Mutants.LEADER);

        final CommandResult run = cluster.loadClient(
            "--rate=2k", "--warm-up=1s", "--duration=20s", "--drain-timeout=60s", "--connect-timeout=60s", "--json", "--quiet",
            "--output=" + folder);
        final JsonNode result = run.json();
        System.out.println("slow follower: p50 " + result.at("/responseTimeNs/p50") + " ns, max " +
            result.at("/responseTimeNs/max") + " ns, behind by " + behind() + " bytes");
        assertThat(result.get("unanswered").asLong()).as("%s", run).isZero();
        assertThat(cluster.awaitLeader().memberId()).isEqualTo(Mutants.LEADER);

        assertThat(Deadline.in(CATCH_UP_TIMEOUT_NS).await(() -> 0 == behind())).as("behind by %d bytes", behind()).isTrue();
        cluster.stop();
        final CommandResult audit = cluster.loadClient("audit", "--json");
        assertThat(audit.json().get("clean").asBoolean()).as("%s", audit).isTrue();
    }

    /** How far the follower's commit position is behind the leader's, in bytes. */
    private long behind()
    {
        return position(Mutants.LEADER) - position(FOLLOWER);
    }

    private long position(final int memberId)
    {
        final ClusterMember member = cluster.members().get(memberId);
        return member.counters().map(MemberCounters::commitPosition).orElse(-1L);
    }
}
