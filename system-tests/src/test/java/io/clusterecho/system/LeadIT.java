package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.Deadline;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who leads: by preference, and by Aeron's own setting. */
@Tag("slow")
class LeadIT
{
    /** Several times the heartbeat timeout of the fast timeouts, 2 s. */
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(8);
    private static final String APPOINTED = "aeron.cluster.appointed.leader.id";

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3);

    @Test
    void shouldElectThePreferredMemberAndAnotherWhileThatIsDown()
    {
        cluster.with("echo.preferred.leader", "1").start();
        final ClusterMember preferred = cluster.members().get(1);
        if (1 != cluster.awaitLeader().memberId())
        {
            cluster.killLeader();
            awaitLeaderOtherThan(-1);
            cluster.start();
        }
        assertThat(cluster.awaitLeader().memberId()).isEqualTo(1);

        cluster.kill(preferred);

        final int other = awaitLeaderOtherThan(1);
        cluster.start();
        assertThat(cluster.awaitLeader().memberId()).as("it does not take over from a leader that serves").isEqualTo(other);
    }

    @Test
    void shouldHaveNoLeaderWhileAMemberThatAeronWasToldToAppointIsDown()
    {
        cluster.with(APPOINTED, "2").start();
        assertThat(cluster.awaitLeader().memberId()).isEqualTo(2);

        cluster.kill(cluster.members().get(2));

        Deadline.in(SILENCE_NS).await(() -> cluster.local().leader().isPresent());
        assertThat(cluster.local().leader()).as("nobody else nominates itself").isEmpty();
        cluster.start();
        assertThat(cluster.awaitLeader().memberId()).isEqualTo(2);
        cluster.awaitEchoes();
    }

    private int awaitLeaderOtherThan(final int memberId)
    {
        assertThat(Deadline.in(TimeUnit.SECONDS.toNanos(60)).await(() -> cluster.local().leader()
            .map((leader) -> memberId != leader.memberId()).orElse(false))).as("another leader").isTrue();
        return cluster.awaitLeader().memberId();
    }
}
