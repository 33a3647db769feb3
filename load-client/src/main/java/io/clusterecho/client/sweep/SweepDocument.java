package io.clusterecho.client.sweep;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.reporting.document.Provenance;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Spread;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.reporting.results.Times;
import io.clusterecho.reporting.results.Verdict;

/**
 * A sweep: {@code sweep.json} in its folder, and the output of {@code matrix --json}. It contains every run, so a sweep can
 * resume from it.
 */
public record SweepDocument(
    String format, String label, String start, StoredVerdict verdict, Plan plan, Highest maxRate, List<Summary> cells,
    List<Ratio> ratios, List<SyncCost> syncCosts, List<SweepRun> runs,
    @JsonUnwrapped Provenance provenance)
{
    /** Plan of the sweep. */
    public record Plan(
        Map<String, List<String>> dimensions,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> varied,
        int repeats, long durationNs, long warmUpNs, long clusterWarmUpNs, String slo, double scale,
        Map<String, String> settings,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> ofTransports,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String published)
    {
        static Plan of(final SweepPlan plan)
        {
            final Map<String, List<String>> dimensions = new LinkedHashMap<>();
            plan.values().forEach((dimension, values) -> dimensions.put(dimension.key(), values));
            return new Plan(
                dimensions, plan.varied().stream().map(Dimension::key).toList(), plan.repeats(), plan.durationNs(),
                plan.warmUpNs(), plan.clusterWarmUpNs(), Threshold.join(plan.conditions()), plan.scale(), plan.settings(),
                plan.ofTransports(), plan.published());
        }
    }

    /** The rate that rates were shares of in documents of earlier versions. */
    public record Highest(long ratePerSecond, String source, String folder)
    {
    }

    /** A cell over its runs; without times if no run counts, and without a highest rate if its rate was given. */
    public record Summary(
        int cell, String name, Map<String, String> values, long ratePerSecond, Spread highestRatePerSecond, StoredVerdict verdict,
        int runs, long goodRuns, int countedRuns,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> disturbances, String durability, String placement,
        Spread ratePerSecondAchieved,
        Map<String, Spread> responseTimeNs, Map<String, Spread> serviceTimeNs, Map<String, Spread> sendDelayNs,
        Map<String, Spread> stallNs, Map<String, Spread> memberReturn)
    {
        static Summary of(final SweepRecord sweep, final CellSummary summary)
        {
            final boolean isCounted = !summary.counted().isEmpty();
            return new Summary(
                summary.cell().number(), sweep.name(summary.cell()), SweepRecord.values(summary.cell()),
                sweep.ratePerSecond(summary.cell()), summary.highestRate(),
                new StoredVerdict(summary.isValid(), summary.verdict(), null, summary.reasons(), null),
                summary.runs().size(), summary.goodCount(), summary.counted().size(), summary.disturbances(),
                summary.first(SweepRun::durability), summary.first(SweepRun::placement),
                isCounted ? summary.spread(SweepRun::ratePerSecondAchieved) : null,
                isCounted ? responseTimes(summary) : null,
                isCounted ? times(summary, SweepRun::serviceTimeNs) : null,
                isCounted ? times(summary, SweepRun::sendDelayNs) : null,
                isCounted ? times(summary, SweepRun::stallNs) : null, memberReturn(summary));
        }

        private static Map<String, Spread> memberReturn(final CellSummary summary)
        {
            final Map<String, Spread> ranges = new LinkedHashMap<>();
            SweepRun.MemberReturn.NAMES.forEach((name) ->
                put(ranges, name, summary.ofReturns((member) -> member.number(name))));
            return ranges.isEmpty() ? null : ranges;
        }

        private static Map<String, Spread> responseTimes(final CellSummary summary)
        {
            final Map<String, Spread> ranges = times(summary, SweepRun::responseTimeNs);
            put(ranges, SweepRun.P99_5, summary.spread(SweepRun::responseP99_5Ns));
            return ranges;
        }

        private static Map<String, Spread> times(final CellSummary summary, final Function<SweepRun, Times> times)
        {
            final Map<String, Spread> ranges = new LinkedHashMap<>();
            Stream.of(Percentile.values()).forEach((percentile) ->
                put(ranges, percentile.label(), summary.spread((run) -> SweepRun.at(times.apply(run), percentile))));
            return ranges;
        }

        private static void put(final Map<String, Spread> ranges, final String name, final Spread spread)
        {
            if (null != spread)
            {
                ranges.put(name, spread);
            }
        }
    }

    public static SweepDocument of(final SweepRecord sweep, final Verdict verdict)
    {
        return new SweepDocument(
            DocumentKind.SWEEP.format(), sweep.description.label(), sweep.description.start().toString(),
            StoredVerdict.of(verdict), Plan.of(sweep.plan()), null,
            sweep.summaries().stream().map((summary) -> Summary.of(sweep, summary)).toList(),
            Ratio.of(sweep), SyncCost.of(sweep), sweep.runs,
            Provenance.of(sweep.description, sweep.folder().path().toString()));
    }
}
