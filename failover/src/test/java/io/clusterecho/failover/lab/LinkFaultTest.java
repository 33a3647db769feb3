package io.clusterecho.failover.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.media.link.Impairment;
import io.clusterecho.media.link.Impairment.Direction;
import io.clusterecho.media.link.Impairment.Effect;
import io.clusterecho.reporting.results.Expectation;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class LinkFaultTest
{
    private final FakeCluster cluster = new FakeCluster();
    private final List<ClusterMember> members = cluster.members.stream().map(FakeMember::proxy).toList();

    static Stream<Arguments> impairments()
    {
        final Impairment received = Impairment.of(Direction.RECEIVE).seeded(1);
        return Stream.of(
            Arguments.of("partition", Impairment.of(Direction.BOTH).cut()),
            Arguments.of("partition-inbound", Impairment.of(Direction.RECEIVE).cut()),
            Arguments.of("partition-clients", Impairment.ofClients(Direction.BOTH).cut()),
            Arguments.of("link-loss:5%", received.with(Effect.LOSS_PPM, 50_000)),
            Arguments.of("link-delay:30ms", received.with(Effect.DELAY_NS, 30_000_000)),
            Arguments.of("link-jitter", received.with(Effect.JITTER_NS, 20_000_000)),
            Arguments.of("link-duplicate:1%", received.with(Effect.DUPLICATE_PPM, 10_000)),
            Arguments.of("link-reorder:0.5%", received.with(Effect.REORDER_PPM, 5_000)));
    }

    @ParameterizedTest
    @MethodSource("impairments")
    void shouldImpairTheLinkOfTheVictimAndRestoreIt(final String text, final Impairment impairment)
    {
        final FaultSpec spec = FaultSpec.parse(text);
        assertThat(spec.fault().is(Fault.Trait.OF_LINK)).isTrue();
        final Victims victims = victims(spec, 1);
        victims.inject(0);
        assertThat(victims.bringBack()).isEmpty();

        assertThat(cluster.members.get(1).calls).containsExactly("impair " + impairment, "restoreLink");
        assertThat(cluster.members.get(0).calls).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({ "1, 0, 0", "2, 0, 0", "2, 2, 0", "0, 0, 1" })
    void shouldCutAPairOnBothSidesAndRestoreBothThoughAnotherLeads(final int victim, final int leader, final int peer)
    {
        cluster.leaderId = leader;
        final Victims victims = victims(FaultSpec.parse("partition-pair"), victim);
        victims.inject(0);
        cluster.leaderId = 3 - victim - peer;
        victims.bringBack();

        assertThat(cluster.members.get(victim).calls)
            .containsExactly("impair " + Impairment.ofMember(peer).cut(), "restoreLink");
        assertThat(cluster.members.get(peer).calls)
            .containsExactly("impair " + Impairment.ofMember(victim).cut(), "restoreLink");
        assertThat(cluster.members.get(3 - victim - peer).calls).isEmpty();
    }

    @Test
    void shouldCutOnePairAtATime()
    {
        final List<FaultSpec> pair = List.of(FaultSpec.parse("partition-pair"));
        assertThatThrownBy(() -> PlannedFault.roundRobin(pair, List.of("followers"), 1))
            .isInstanceOf(InvalidSettingException.class).hasMessageContainingAll("--victim=followers", "partition-pair");
    }

    @ParameterizedTest
    @CsvSource({
        "link-loss:30%,     true,  true,  LEADER_STAYS",
        "link-delay:50ms,   true,  true,  LEADER_STAYS",
        "link-delay:500ms,  true,  false, ONE_ELECTION",
        "partition-pair,    true,  false, LEADER_STAYS",
        "partition-pair,    true,  true,  NO_QUORUM",
        "partition-clients, true,  false, NO_CLIENTS",
        "partition-clients, false, true,  LEADER_STAYS",
        "partition-inbound, true,  false, ONE_ELECTION" })
    void shouldStateWhatIsExpected(
        final String text, final boolean isLeaderHit, final boolean isQuorumHit, final Expectation expectation)
    {
        final FaultSpec spec = FaultSpec.parse(text);
        assertThat(spec.fault().outcome().of(spec.amount(), isLeaderHit, isQuorumHit)).isEqualTo(expectation);
    }

    @Test
    void shouldNotTakeAMemberForSilentThatMayAnswer()
    {
        assertThat(Faults.ALL.stream().filter((fault) -> !fault.isSilencing()).map(Fault::name)).containsExactly(
            "partition-clients", "link-loss", "link-delay", "link-jitter", "link-duplicate",
            "link-reorder", "disk-full", "slow-disk", "sync-error", "disk-full-after", "clock-step",
            "file-limit");
    }

    private Victims victims(final FaultSpec spec, final int memberId)
    {
        return new Victims(spec, List.of(members.get(memberId)), cluster.lab());
    }
}
