package io.clusterecho.failover.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CycleTest
{
    @ParameterizedTest
    @CsvSource({
        "kill, true", "pause, true", "disk-stall, true", "slow-disk:50ms, false", "file-limit:0, false", "clock-step:1s, false" })
    void shouldTakeALeaderForOneThatReturnedOnlyIfTheFaultSilencedIt(final String fault, final boolean isReturned)
    {
        assertThat(cycle(fault, 1).isSameLeader()).isEqualTo(isReturned);
        assertThat(cycle(fault, 2).isSameLeader()).isFalse();
    }

    private static Cycle cycle(final String fault, final int leaderAfter)
    {
        return new Cycle(
            1, new PlannedFault(FaultSpec.parse(fault), "leader", 0), List.of(1), Expectation.ONE_ELECTION, 0, true, true, false,
            "", false, 0, 0, Map.of(), 0, 1, leaderAfter, List.of(), null, List.of());
    }
}
