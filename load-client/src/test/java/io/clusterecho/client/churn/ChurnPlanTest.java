package io.clusterecho.client.churn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

class ChurnPlanTest
{
    private static final long MS = 1_000_000L;

    @Test
    void shouldSpreadSessionsEvenlyOverTheWholeWindowWithoutTurns()
    {
        final ChurnPlan plan = new ChurnPlan(10, 1_000 * MS, 2_000 * MS, 0);

        assertThat(due(plan)).hasSize(10).startsWith(1_000L, 1_100L, 1_200L).endsWith(1_900L);
        assertThat(plan.dueCount(999 * MS)).isZero();
        assertThat(plan.dueCount(1_000 * MS)).isEqualTo(1);
        assertThat(plan.dueCount(1_150 * MS)).isEqualTo(2);
        assertThat(plan.dueCount(Long.MAX_VALUE / 2)).isEqualTo(10);
    }

    @Test
    void shouldBeginWithATurnWithoutSessions()
    {
        final ChurnPlan plan = new ChurnPlan(5, 0, 4_000 * MS, 1_000 * MS);

        assertThat(due(plan)).containsExactly(1_000L, 1_200L, 1_400L, 1_600L, 1_800L, 3_000L, 3_200L, 3_400L, 3_600L, 3_800L);
        assertThat(plan.dueCount(2_500 * MS)).isEqualTo(5);
    }

    @Test
    void shouldEndWithTheWindow()
    {
        assertThat(due(new ChurnPlan(5, 0, 1_300 * MS, 1_000 * MS))).containsExactly(1_000L, 1_200L);
        assertThat(due(new ChurnPlan(5, 0, 2_500 * MS, 1_000 * MS))).hasSize(5).endsWith(1_800L);
        assertThat(due(new ChurnPlan(1_000, 0, 3 * MS, 1 * MS))).containsExactly(1L);
    }

    @Test
    void shouldHaveNoSessionAtTheEndOfATurnAtAnyRate()
    {
        for (int rate = 1; rate <= 1_000; rate++)
        {
            final ChurnPlan plan = new ChurnPlan(rate, 0, 20_000 * MS, 5_000 * MS);
            assertThat(plan.count()).as("at %d/s", rate).isEqualTo(10L * rate);
            assertThat(plan.dueNs(5L * rate - 1)).as("at %d/s", rate).isLessThan(10_000 * MS);
            assertThat(plan.dueNs(5L * rate)).as("at %d/s", rate).isEqualTo(15_000 * MS);
        }
    }

    @Test
    void shouldKnowHowMuchOfAStretchLiesInTurnsWithSessions()
    {
        final ChurnPlan turns = new ChurnPlan(5, 1_000 * MS, 6_500 * MS, 1_000 * MS);
        assertThat(turns.turnNs(0, 2_000 * MS)).isZero();
        assertThat(turns.turnNs(1_000 * MS, 2_001 * MS)).isEqualTo(MS);
        assertThat(turns.turnNs(2_500 * MS, 4_500 * MS)).isEqualTo(1_000 * MS);
        assertThat(turns.turnNs(5_500 * MS, 9_000 * MS)).as("until the end of the window").isEqualTo(500 * MS);

        final ChurnPlan whole = new ChurnPlan(5, 1_000 * MS, 3_000 * MS, 0);
        assertThat(whole.turnNs(500 * MS, 9_000 * MS)).isEqualTo(2_000 * MS);
    }

    private static List<Long> due(final ChurnPlan plan)
    {
        return LongStream.range(0, plan.count()).mapToObj((number) -> plan.dueNs(number) / MS).toList();
    }
}
