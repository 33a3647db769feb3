package io.clusterecho.failover.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.aeron.cluster.ElectionState;

import io.clusterecho.control.member.ElectionWatch.Change;
import io.clusterecho.control.member.ElectionWatch;
import io.clusterecho.reporting.results.Cycle.OutagePhase;

import org.junit.jupiter.api.Test;

class ElectionPhasesTest
{
    private static final long FAULT_NS = 1_000;

    private final Map<OutagePhase, Long> phases = new EnumMap<>(OutagePhase.class);

    @Test
    void shouldDistinguishTheBallotFromTheDetection()
    {
        read(List.of(0), false,
            change(20, 1, ElectionState.CLOSED, ElectionState.INIT, false),
            change(21, 1, ElectionState.INIT, ElectionState.CANVASS, false),
            change(25, 2, ElectionState.CLOSED, ElectionState.CANVASS, false),
            change(30, 1, ElectionState.CANVASS, ElectionState.NOMINATE, false),
            change(40, 1, ElectionState.NOMINATE, ElectionState.CANDIDATE_BALLOT, false),
            change(50, 1, ElectionState.LEADER_READY, ElectionState.LEADER_READY, true),
            change(60, 1, ElectionState.LEADER_READY, ElectionState.CLOSED, true));
        assertThat(phases).containsExactlyInAnyOrderEntriesOf(
            Map.of(OutagePhase.FAILURE_DETECTED, 20L, OutagePhase.ELECTION_START, 30L, OutagePhase.ELECTION_END, 60L));
    }

    @Test
    void shouldIgnoreAVictimsElectionStates()
    {
        read(List.of(0), false,
            change(20, 0, ElectionState.CLOSED, ElectionState.CANVASS, false),
            change(30, 0, ElectionState.CANVASS, ElectionState.FOLLOWER_BALLOT, false),
            change(40, 0, ElectionState.FOLLOWER_BALLOT, ElectionState.CLOSED, false));
        assertThat(phases).isEmpty();
    }

    @Test
    void shouldNotTakeTheStartOfAProcessAsADetection()
    {
        read(List.of(0), false,
            new Change(FAULT_NS + 20, 1, ElectionWatch.UNKNOWN_STATE, ElectionState.INIT.code(), false));
        assertThat(phases).isEmpty();
    }

    @Test
    void shouldFindTheElectionOfMembersThatWereAllVictims()
    {
        read(List.of(0, 1, 2), true,
            new Change(FAULT_NS + 20, 1, ElectionWatch.UNKNOWN_STATE, ElectionState.INIT.code(), false),
            change(30, 1, ElectionState.CANVASS, ElectionState.NOMINATE, false),
            change(60, 1, ElectionState.LEADER_READY, ElectionState.CLOSED, true));
        assertThat(phases)
            .containsExactlyInAnyOrderEntriesOf(Map.of(OutagePhase.ELECTION_START, 30L, OutagePhase.ELECTION_END, 60L));
    }

    private void read(final List<Integer> victims, final boolean isQuorumLost, final Change... changes)
    {
        CycleRecord.readElection(List.of(changes), FAULT_NS, victims, isQuorumLost, phases);
    }

    private static Change change(
        final long afterNs, final int memberId, final ElectionState before, final ElectionState now, final boolean isLeader)
    {
        return new Change(FAULT_NS + afterNs, memberId, before.code(), now.code(), isLeader);
    }
}
