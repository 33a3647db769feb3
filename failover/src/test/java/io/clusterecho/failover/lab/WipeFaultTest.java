package io.clusterecho.failover.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.clusterecho.control.member.ClusterMember;

class WipeFaultTest
{
    private final FakeCluster cluster = new FakeCluster();
    private final List<ClusterMember> members = cluster.members.stream().map(FakeMember::proxy).toList();

    @Test
    void shouldReturnEmptyWhileTheLogIsWhole()
    {
        wipe(1);
        assertThat(cluster.members.get(1).calls).containsExactly("kill", "wipe", "cleanUp", "start");
    }

    @Test
    void shouldReturnWithASnapshotOfTheLeaderAfterItsLogWasPurged()
    {
        cluster.leaderId = 2;
        cluster.members.get(2).logStart = 4096;
        wipe(1);
        assertThat(cluster.members.get(1).calls)
            .containsExactly("kill", "wipe", "putSeed 127.0.0.1:2", "cleanUp", "start");
    }

    private void wipe(final int victim)
    {
        final Victims victims = new Victims(FaultSpec.parse("wipe"), List.of(members.get(victim)), cluster.lab());
        victims.inject(0);
        assertThat(victims.bringBack()).isEmpty();
    }
}
