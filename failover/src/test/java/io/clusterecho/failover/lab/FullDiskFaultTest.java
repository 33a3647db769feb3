package io.clusterecho.failover.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import io.clusterecho.node.member.ExitStatus;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Member 1 has ended after a full disk, and is started again. */
class FullDiskFaultTest
{
    private final FakeCluster cluster = new FakeCluster();
    private final FakeMember victim = cluster.members.get(1);

    @BeforeEach
    void end()
    {
        victim.isAlive = false;
        victim.exitCode = ExitStatus.DATA_CORRUPT.code();
    }

    @Test
    void shouldHealAMemberThatRefusesItsDataWhileTheOthersServe()
    {
        cluster.members.get(0).logStart = 4096;
        final Victims victims = victims("disk-full");
        assertThat(victims.restartGone()).isEmpty();
        assertThat(victim.calls).containsExactly("cleanUp", "wipe", "putSeed 127.0.0.1:0", "CHECK", "cleanUp", "start");
        assertThat(victims.healed).containsExactly(1);
    }

    @Test
    void shouldNotGiveUpItsDataWithoutALeaderOfAMajority()
    {
        cluster.leaderId = -1;
        final Victims victims = victims("disk-full");
        assertThat(victims.restartGone()).isEmpty();
        assertThat(victim.calls).isEmpty();

        cluster.leaderId = 0;
        cluster.members.get(2).electionState = "canvass";
        assertThat(victims.restartGone()).isEmpty();
        assertThat(victim.calls).as("the leader alone").isEmpty();
        assertThat(victims.healed).isEmpty();
    }

    @Test
    void shouldOnlyRestartAMemberThatEndedOtherwise()
    {
        victim.exitCode = ExitStatus.STORAGE.code();
        final Victims victims = victims("disk-full");
        assertThat(victims.restartGone()).isEmpty();
        assertThat(victim.calls).containsExactly("CHECK", "cleanUp", "start");
        assertThat(victims.healed).isEmpty();
    }

    @Test
    void shouldNotHideDamageThatNoFullDiskMade()
    {
        final Victims victims = victims("kill");
        assertThat(victims.restartGone()).isEmpty();
        assertThat(victim.calls).containsExactly("cleanUp", "start");
        assertThat(victims.healed).isEmpty();
    }

    private Victims victims(final String fault)
    {
        return new Victims(FaultSpec.parse(fault), List.of(victim.proxy()), cluster.lab());
    }
}
