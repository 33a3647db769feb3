package io.clusterecho.reporting.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.text.TextTable;

import org.junit.jupiter.api.Test;

/**
 * Compares sets between which nothing changed. The logarithm of a run's percentile is the effect of its start and one of its
 * own, both normally distributed.
 */
class StartsAsTheSampleTest
{
    private static final ComparisonPlan PLAN = new ComparisonPlan(Metric.parse("p99"), 0.05, 0.05, Set.of(), false);
    private static final int COMPARISON_COUNT = 1_500;
    private static final double MOST_FALSE_ALARMS = 0.06;
    private static final double[][] SCATTERS = { { 0, 0.1 }, { 0.1, 0.1 }, { 0.2, 0.1 }, { 0.15, 0.05 } };
    /** Starts, runs of each start of A, and of B. */
    private static final int[][] SIZES = { { 5, 1, 1 }, { 5, 3, 3 }, { 5, 1, 2 }, { 8, 1, 1 }, { 8, 3, 3 } };
    /** Runs of the only start. */
    private static final int[] NESTED_SIZES = { 5, 8 };

    private final Random random = new Random(1);
    private int startCount;

    @Test
    void shouldSeldomCallSetsDifferentThatAreNot() throws IOException
    {
        final TextTable table = new TextTable().left("scatter of starts, of runs").right("5 x 1").right("5 x 3")
            .right("5 x 1, 5 x 2").right("8 x 1").right("8 x 3");
        final List<Double> shares = new ArrayList<>();
        for (final double[] scatter : SCATTERS)
        {
            final List<String> row = new ArrayList<>(List.of(words(scatter)));
            for (final int[] size : SIZES)
            {
                final double share = shareOfAlarms(() ->
                    Comparison.of(set("A", size[0], size[1], scatter, true), set("B", size[0], size[2], scatter, true), PLAN));
                shares.add(share);
                row.add(percent(share));
            }
            table.row(row.toArray());
        }

        assertThat(shares).as("false alarms:\n%s", table.markdown()).allMatch((share) -> share <= MOST_FALSE_ALARMS);
        assertDocumented(table);
    }

    @Test
    void shouldDecideNothingOfRunsThatShareOneStart() throws IOException
    {
        final TextTable table = new TextTable().left("scatter of starts, of runs").right("start named, 5 runs")
            .right("unknown, 5 runs").right("start named, 8 runs").right("unknown, 8 runs");
        for (final double[] scatter : SCATTERS)
        {
            final List<String> row = new ArrayList<>(List.of(words(scatter)));
            for (final int count : NESTED_SIZES)
            {
                for (final boolean isNamed : new boolean[]{ true, false })
                {
                    final double share = shareOfAlarms(() -> Comparison.of(
                        set("A", 1, count, scatter, isNamed), set("B", 1, count, scatter, isNamed), PLAN));
                    row.add(percent(share));
                    assertThat(isNamed ? share : 0).as("%s, %d runs", words(scatter), count).isZero();
                }
            }
            table.row(row.toArray());
        }
        assertThat(Comparison.of(set("A", 1, 8, SCATTERS[0], true), set("B", 1, 8, SCATTERS[0], true), PLAN).isTooFew()).isTrue();
        assertDocumented(table);
    }

    @Test
    void shouldCallHalvesOfASetUpDifferentAsOftenAsTheSignificanceLevelAllows()
    {
        final ComparisonPlan anyEffect = new ComparisonPlan(Metric.parse("p99"), 0, 0.05, Set.of(), false);
        for (final double[] scatter : SCATTERS)
        {
            int alarms = 0;
            int splits = 0;
            for (int i = 0; i < 5; i++)
            {
                final SelfComparison self = SelfComparison.of(set("A", 16, 1 + i % 2, scatter, true), anyEffect);
                assertThat(self.isEachSplit()).isFalse();
                alarms += self.alarms();
                splits += self.splits();
            }
            assertThat((double)alarms / splits).as(words(scatter)).isBetween(0.04, 0.06);
        }
    }

    @Test
    void shouldSplitTheStartsInEachWayWhereTheseAreFew()
    {
        final SelfComparison even = SelfComparison.of(set("A", 12, 2, SCATTERS[1], true), PLAN);
        assertThat(even.starts()).isEqualTo(12);
        assertThat(even.runs()).hasSize(24);
        assertThat(even.splits()).as("12! / 6! / 6! / 2").isEqualTo(462);
        assertThat(even.isEachSplit()).isTrue();
        assertThat(even.alarmShare95().low()).isLessThanOrEqualTo(even.alarmShare());
        assertThat(even.alarmShare95().high()).isBetween(even.alarmShare(), 0.1);
        assertThat(SelfComparison.of(set("A", 9, 1, SCATTERS[1], true), PLAN).splits()).isEqualTo(126);

        final SelfComparison few = SelfComparison.of(set("A", 7, 5, SCATTERS[1], true), PLAN);
        assertThat(few.refusals()).singleElement().asString().contains("7").contains("at least 4 each");
        assertThat(few.metrics()).isEmpty();
        assertThat(few.alarmShare()).isNull();
    }

    @Test
    void shouldShowHowFarChancePutsHalvesApart()
    {
        final SelfComparison narrow = SelfComparison.of(set("A", 12, 1, new double[]{ 0, 0.02 }, true), PLAN);
        final SelfComparison wide = SelfComparison.of(set("A", 12, 1, new double[]{ 0.3, 0.02 }, true), PLAN);
        assertThat(narrow.metrics().get(0).change95()).isBetween(0.002, 0.05);
        assertThat(wide.metrics().get(0).change95()).isGreaterThan(0.1);
        assertThat(wide.text(false)).startsWith(wide.summary()).contains("A/A       12 runs of 12 starts", "p99  ");
    }

    /** Two starts of two runs have the values 100, 102 and 110, 114. */
    @Test
    void shouldTakeTheMiddleOfTheRunsOfAStart()
    {
        final RunSet set = new RunSet(
            "A", List.of(), List.of(run(100, "a"), run(110, "b"), run(102, "a"), run(114, "b"), run(90, "c")), List.of());
        assertThat(set.values(PLAN.metrics().get(0))).containsExactly(101, 112, 90);
    }

    private interface Trial
    {
        Comparison compare();
    }

    private static double shareOfAlarms(final Trial trial)
    {
        int count = 0;
        for (int i = 0; i < COMPARISON_COUNT; i++)
        {
            final Change.Outcome found = trial.compare().changes().get(0).outcome();
            count += Change.Outcome.BETTER == found || Change.Outcome.WORSE == found ? 1 : 0;
        }
        return (double)count / COMPARISON_COUNT;
    }

    private RunSet set(
        final String name, final int starts, final int runsOfEach, final double[] scatter, final boolean isNamed)
    {
        final List<ComparedRun> runs = new ArrayList<>();
        for (int start = 0; start < starts; start++)
        {
            final double effect = scatter[0] * random.nextGaussian();
            final String id = isNamed ? "start-" + startCount++ : null;
            for (int i = 0; i < runsOfEach; i++)
            {
                runs.add(run(1e6 * Math.exp(effect + scatter[1] * random.nextGaussian()), id));
            }
        }
        return new RunSet(name, List.of(), runs, List.of());
    }

    private static ComparedRun run(final double p99Ns, final String start)
    {
        final ObjectNode manifest = JsonNodeFactory.instance.objectNode();
        manifest.putObject("verdict").put("good", true);
        manifest.putObject("responseTimeNs").put("p99", p99Ns).put("count", 1_000_000);
        if (null != start)
        {
            manifest.putObject("memberStart").put("id", start);
        }
        return new ComparedRun(Path.of("run"), DocumentKind.RUN, manifest);
    }

    private static String words(final double[] scatter)
    {
        return percent(scatter[0]) + ", " + percent(scatter[1]);
    }

    private static String percent(final double share)
    {
        return String.format(Locale.ROOT, "%.0f%%", 100 * share);
    }

    private static void assertDocumented(final TextTable table) throws IOException
    {
        assertThat(Files.readString(Path.of("../docs/COMPARING.md"))).contains(table.markdown());
    }
}
