package io.clusterecho.failover.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.CycleBuilder;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailoverTextTest
{
    private Cycle cycle;

    @BeforeEach
    void makeCycle(@TempDir final Path folder) throws IOException
    {
        cycle = SampleFailover.result(folder, 1, "").cycles().get(0);
    }

    @Test
    void shouldNameTheRoleOfEachVictimAndThatTheOutageIsPreliminary()
    {
        assertThat(FailoverText.line(cycle))
            .startsWith("cycle 1  kill member 0 (leader)  outage 450 ms +- 1.00 ms (preliminary)  (");
        assertThat(FailoverText.line(cycle(List.of(0, 2), 2)))
            .startsWith("cycle 1  kill member 0 (follower) + 2 (leader)  outage ");
        assertThat(FailoverText.line(cycle(List.of(0), -1))).startsWith("cycle 1  kill member 0  outage ");
    }

    @Test
    void shouldSayThatThereWasNoOutageAndWhoWasHealed()
    {
        final Cycle healed = new CycleBuilder(3).with("outageNs", 0).with("healed", List.of(1)).cycle();
        assertThat(FailoverText.line(healed)).contains("  no outage (preliminary)  ").endsWith("  healed: member 1");
        assertThat(FailoverText.healedText(healed)).startsWith("cycle 3: member 1 refused its data, whose last write");
    }

    private Cycle cycle(final List<Integer> victims, final int leader)
    {
        return CycleBuilder.of(cycle).with("victim", victims).with("leaderBefore", leader).cycle();
    }
}
