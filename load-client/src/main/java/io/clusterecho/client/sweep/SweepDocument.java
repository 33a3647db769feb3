package io.clusterecho.client.sweep;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.reporting.document.Circumstances;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.Range;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.published.PublishedSetup;
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
    List<Comparison> ratios, List<LevelCost> syncCosts,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Reversal> contradictions, List<SweepRun> runs,
    @JsonUnwrapped Circumstances circumstances)
{
    /** Plan of the sweep. */
    public record Plan(
        Map<String, List<String>> dimensions,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> varied,
        int repeats, long durationNs, long warmUpNs, long clusterWarmUpNs, String slo, double scale,
        Map<String, String> settings)
    {
        static Plan of(final SweepPlan plan)
        {
            final Map<String, List<String>> dimensions = new LinkedHashMap<>();
            plan.values().forEach((dimension, values) -> dimensions.put(dimension.key(), values));
            return new Plan(
                dimensions, plan.varied().stream().map(Dimension::key).toList(), plan.repeats(), plan.durationNs(),
                plan.warmUpNs(), plan.clusterWarmUpNs(), Threshold.join(plan.conditions()), plan.scale(), plan.settings());
        }
    }

    /** The rate that shares refer to. */
    public record Highest(long ratePerSecond, String source, String folder)
    {
    }

    /** A cell over its runs; without times if no run counts, and without a highest rate if its rate was given. */
    public record Summary(
        int cell, String name, Map<String, String> values, long ratePerSecond, Range highestRatePerSecond, StoredVerdict verdict,
        int runs, long goodRuns, int countedRuns,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> disturbances, String durability, String placement,
        Range ratePerSecondAchieved,
        Map<String, Range> responseTimeNs, Map<String, Range> serviceTimeNs, Map<String, Range> sendDelayNs,
        Map<String, Range> stallNs, Map<String, Range> memberReturn)
    {
        static Summary of(final SweepRecord sweep, final CellSummary summary)
        {
            final boolean isCounted = !summary.counted().isEmpty();
            return new Summary(
                summary.cell().number(), sweep.name(summary.cell()), SweepRecord.values(summary.cell()),
                sweep.ratePerSecond(summary.cell()),
                null == summary.highestRate() ? null : Range.of(summary.highestRate()),
                new StoredVerdict(summary.isValid(), summary.verdict(), null, summary.reasons(), null),
                summary.runs().size(), summary.goodCount(), summary.counted().size(), summary.disturbances(),
                summary.durability(), summary.placement(),
                isCounted ? Range.of(summary.spread(SweepRun::ratePerSecondAchieved)) : null,
                isCounted ? times(summary, SweepRun::responseTimeNs) : null,
                isCounted ? times(summary, SweepRun::serviceTimeNs) : null,
                isCounted ? times(summary, SweepRun::sendDelayNs) : null,
                isCounted ? times(summary, SweepRun::stallNs) : null, memberReturn(summary));
        }

        private static Map<String, Range> memberReturn(final CellSummary summary)
        {
            if (null == summary.ofReturns(SweepRun.MemberReturn::inQuorumNs))
            {
                return null;
            }

            final Map<String, Range> ranges = new LinkedHashMap<>();
            SweepRun.MemberReturn.NUMBERS.forEach((name, number) ->
            {
                final Spread spread = summary.ofReturns(number);
                if (null != spread)
                {
                    ranges.put(name, Range.of(spread));
                }
            });
            return ranges;
        }

        private static Map<String, Range> times(final CellSummary summary, final Function<SweepRun, Times> times)
        {
            final Map<String, Range> ranges = new LinkedHashMap<>();
            for (final Percentile percentile : Percentile.values())
            {
                final Spread spread = summary.spread((run) -> times.apply(run).at(percentile));
                if (null != spread)
                {
                    ranges.put(percentile.label(), Range.of(spread));
                }
            }
            return ranges;
        }
    }

    /** Comparison of a cell with another, by percentile of the response time, or {@code rate} of searched rates. */
    public record Comparison(
        String dimension, int cell, int against, Integer runs, Integer againstRuns, Map<String, Double> ours,
        Map<String, Double> oursMin, Map<String, Double> oursMax, Map<String, Double> published,
        List<String> publishedDiffers, String publishedBy)
    {
        static Comparison of(final Ratio ratio)
        {
            final boolean isPublished = !ratio.published().isEmpty();
            final boolean isNear = isPublished || !ratio.publishedDiffers().isEmpty();
            return new Comparison(
                ratio.dimension().key(), ratio.cell().number(), ratio.against().number(),
                ratio.runs(), ratio.againstRuns(), rounded(ratio.ours()), rounded(ratio.oursMin()), rounded(ratio.oursMax()),
                isPublished ? rounded(ratio.published()) : null, isNear ? ratio.publishedDiffers() : null,
                isNear ? PublishedSetup.SOURCE + ", aeron-java and aeron-c, 100,000 messages/s" : null);
        }

        private static Map<String, Double> rounded(final Map<String, Double> ratios)
        {
            final Map<String, Double> all = new LinkedHashMap<>();
            ratios.forEach((percentile, ratio) -> all.put(percentile, Documents.rounded(ratio, 4)));
            return all;
        }
    }

    /** Cost of a file sync level. */
    public record LevelCost(
        int cell, int against, Integer repeats, Integer againstRepeats, double p50Ns, Double p50NsMin, Double p50NsMax,
        String p50Text, Double cpuSecondsPerMillion, Double cpuSecondsPerMillionMin, Double cpuSecondsPerMillionMax,
        String cpuText, Long syncNs, String syncMissing)
    {
        static LevelCost of(final SyncCost cost)
        {
            final Cost p50 = cost.p50();
            final Cost cpu = cost.cpu().orElse(null);
            final boolean isKnown = null != cpu;
            return new LevelCost(
                cost.cell().number(), cost.against().number(), p50.repeats(), p50.againstRepeats(), p50.median(), p50.min(),
                p50.max(), cost.p50Text(), isKnown ? Documents.rounded(cpu.median(), 3) : null,
                isKnown ? Documents.rounded(cpu.min(), 3) : null, isKnown ? Documents.rounded(cpu.max(), 3) : null,
                isKnown ? cost.cpuText() : null, cost.syncNs() > 0 ? cost.syncNs() : null,
                cost.syncNs() > 0 ? null : cost.missing());
        }
    }

    /** A cell that was faster than another that differs only in having less of a setting that can only cost. */
    public record Reversal(String dimension, int cell, int against)
    {
        static Reversal of(final Contradiction found)
        {
            return new Reversal(found.dimension().key(), found.cell().number(), found.against().number());
        }
    }

    /** The document of a sweep so far. */
    public static SweepDocument of(final SweepRecord sweep, final Verdict verdict)
    {
        return new SweepDocument(
            DocumentKind.SWEEP.format(), sweep.description().label(), sweep.description().start().toString(),
            StoredVerdict.of(verdict), Plan.of(sweep.plan()), sweep.maxRate().orElse(null),
            sweep.summaries().stream().map((summary) -> Summary.of(sweep, summary)).toList(),
            Ratio.of(sweep).stream().map(Comparison::of).toList(), SyncCost.of(sweep).stream().map(LevelCost::of).toList(),
            Contradiction.of(sweep).stream().map(Reversal::of).toList(), sweep.runs(),
            Circumstances.of(sweep.description(), sweep.folder().path().toString()));
    }
}
