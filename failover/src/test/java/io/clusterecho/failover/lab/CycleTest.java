package io.clusterecho.failover.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.CycleBuilder;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CycleTest
{
    @ParameterizedTest
    @CsvSource({
        "kill, true", "pause, true", "disk-stall, true", "slow-disk:50ms, false", "file-limit:0, false", "clock-step:1s, false" })
    void shouldTakeALeaderForOneThatReturnedOnlyIfTheFaultSilencedIt(final String fault, final boolean isReturned)
    {
        assertThat(cycle(fault, 0).isSameLeader()).isEqualTo(isReturned);
        assertThat(cycle(fault, 2).isSameLeader()).isFalse();
    }

    private static Cycle cycle(final String fault, final int leaderAfter)
    {
        return new CycleBuilder(1).with("leaderAfter", leaderAfter)
            .with("effect", FaultSpec.parse(fault).fault().effect()).cycle();
    }
}
