package io.clusterecho.client.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;

import io.clusterecho.reporting.results.SteadyState;

import org.junit.jupiter.api.Test;

class SweepRunTest
{
    private static final Cell CELL = SweepPlan.parse(Map.of(), "test").cells().get(0);

    @Test
    void shouldNotBeGoodIfItsLevelChanged()
    {
        final SweepRun run = SampleSweep.run(CELL, 1, true);
        final SweepRun drifting = run.ifSteady(new SteadyState(false, null, List.of("p50 rose by 30%")));
        assertThat(drifting.isGood()).isFalse();
        assertThat(drifting.isMeasured()).isTrue();
        assertThat(drifting.reasons()).containsExactly("not steady: p50 rose by 30%");
    }

    @Test
    void shouldBeGoodIfItWasSteadyOrNobodyKnows()
    {
        final SweepRun run = SampleSweep.run(CELL, 1, true);
        assertThat(run.ifSteady(new SteadyState(true, 0L, List.of()))).isSameAs(run);
        assertThat(run.ifSteady(SteadyState.unknown("too few intervals"))).isSameAs(run);
        assertThat(run.ifSteady(null)).isSameAs(run);
    }
}
