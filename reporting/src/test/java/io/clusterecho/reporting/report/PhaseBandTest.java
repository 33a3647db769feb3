package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.Cycle;

import org.junit.jupiter.api.Test;

class PhaseBandTest
{
    private final ObjectNode cycle = new ObjectMapper().createObjectNode();

    @Test
    void shouldNameThePhasesOfAKilledLeader()
    {
        cycle.put("lastEchoNs", -1).put("failureDetectedNs", 200).put("electionStartNs", 220).put("electionEndNs", 400);
        cycle.put("newLeaderKnownNs", 410).put("sessionUsableNs", 420).put("firstEchoNs", 450).put("backlogDrainedNs", 460);
        cycle.put("victimReturnedNs", 300).put("victimCaughtUpNs", 900);
        assertThat(bands()).containsExactly(
            new PhaseBand("phase", "undetected", 0, 200), new PhaseBand("phase", "canvass", 200, 220),
            new PhaseBand("phase", "election", 220, 400), new PhaseBand("phase", "session", 400, 450),
            new PhaseBand("phase", "backlog", 450, 460), new PhaseBand("silence", "silence", -1, 450),
            new PhaseBand("victim", "away", 0, 300), new PhaseBand("victim", "catching-up", 300, 900));
    }

    @Test
    void shouldHaveNoPhasesForAFollowerWithoutAnOutage()
    {
        cycle.putNull("failureDetectedNs").putNull("firstEchoNs").putNull("lastEchoNs");
        cycle.put("victimReturnedNs", 300).putNull("victimCaughtUpNs");
        assertThat(bands()).containsExactly(new PhaseBand("victim", "away", 0, 300));
    }

    @Test
    void shouldNotCallTheTimeWithoutAQuorumAnElection()
    {
        cycle.put("quorumLost", true).put("failureDetectedNs", 200).put("electionStartNs", 3_100).put("electionEndNs", 3_400);
        cycle.put("lastEchoNs", 1).put("sessionUsableNs", 3_410).put("firstEchoNs", 3_450).put("victimReturnedNs", 3_000);
        assertThat(bands()).startsWith(
            new PhaseBand("phase", "no-quorum", 0, 3_000), new PhaseBand("phase", "canvass", 3_000, 3_100),
            new PhaseBand("phase", "election", 3_100, 3_400), new PhaseBand("phase", "session", 3_400, 3_450));
    }

    @Test
    void shouldNotTakeALaterSilenceForSessionRecovery()
    {
        cycle.put("failureDetectedNs", 200).put("electionStartNs", 220).put("electionEndNs", 400);
        cycle.put("lastEchoNs", 5_000).put("sessionUsableNs", 420).put("firstEchoNs", 9_000).put("backlogDrainedNs", 9_100);
        assertThat(bands()).contains(
            new PhaseBand("phase", "session", 400, 420), new PhaseBand("phase", "backlog", 9_000, 9_100),
            new PhaseBand("silence", "silence", 5_000, 9_000));
    }

    @Test
    void shouldAcceptACycleWithoutTheStartOfTheElection()
    {
        cycle.put("failureDetectedNs", 200).put("electionEndNs", 400);
        assertThat(bands()).containsExactly(
            new PhaseBand("phase", "undetected", 0, 200), new PhaseBand("phase", "election", 200, 400));
    }

    private List<PhaseBand> bands()
    {
        return PhaseBand.of(Documents.bind(cycle, Cycle.class));
    }
}
