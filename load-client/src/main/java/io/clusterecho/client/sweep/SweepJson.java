package io.clusterecho.client.sweep;

import java.util.Locale;
import java.util.Map;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.published.PublishedSetup;
import io.clusterecho.client.results.Manifest;
import io.clusterecho.client.results.Percentile;
import io.clusterecho.client.results.Spread;
import io.clusterecho.client.results.DocumentKind;
import io.clusterecho.client.results.Verdict;

/**
 * A sweep as JSON: {@code sweep.json} of its folder, and what {@code matrix --json} prints. It holds every run, and so is also
 * what a sweep resumes from.
 */
public final class SweepJson
{
    private SweepJson()
    {
    }

    /**
     * Put a sweep into JSON.
     *
     * @param sweep   to put.
     * @param verdict on it.
     * @return the document, indented.
     */
    public static String json(final SweepRecord sweep, final Verdict verdict)
    {
        final ObjectNode root = new ObjectMapper().createObjectNode();
        final SweepPlan plan = sweep.plan();
        root.put("format", DocumentKind.SWEEP.format());
        root.put("label", sweep.description().label());
        root.put("start", sweep.description().start().toString());
        Manifest.putVerdict(root.putObject("verdict"), verdict);

        final ObjectNode planNode = root.putObject("plan");
        final ObjectNode dimensions = planNode.putObject("dimensions");
        plan.values().forEach((dimension, values) -> values.forEach(dimensions.withArray(dimension.key())::add));
        plan.varied().forEach((dimension) -> planNode.withArray("varied").add(dimension.key()));
        planNode.put("repeats", plan.repeats());
        planNode.put("durationNs", plan.durationNs());
        planNode.put("warmUpNs", plan.warmUpNs());
        planNode.put("clusterWarmUpNs", plan.clusterWarmUpNs());
        planNode.put("scale", plan.scale());
        final ObjectNode settings = planNode.putObject("settings");
        plan.settings().forEach(settings::put);
        sweep.maxRate().ifPresent((maxRate) -> root.set("maxRate", maxRate));

        final ArrayNode cells = root.putArray("cells");
        sweep.summaries().forEach((summary) -> putCell(cells.addObject(), sweep, summary));
        final ArrayNode ratios = root.putArray("ratios");
        Ratio.of(sweep).forEach((ratio) -> putRatio(ratios.addObject(), ratio));
        final ArrayNode syncCosts = root.putArray("syncCosts");
        SyncCost.of(sweep).forEach((cost) -> putSyncCost(syncCosts.addObject(), cost));
        final ArrayNode runs = root.putArray("runs");
        sweep.runs().forEach((run) -> runs.add(run.node()));
        Manifest.putCircumstances(root, sweep.description(), sweep.folder().path().toString());
        return Manifest.text(root);
    }

    private static void putCell(final ObjectNode node, final SweepRecord sweep, final CellSummary summary)
    {
        node.put("cell", summary.cell().number());
        node.put("name", sweep.name(summary.cell()));
        final ObjectNode values = node.putObject("values");
        SweepRecord.values(summary.cell()).forEach(values::put);
        node.put("ratePerSecond", sweep.ratePerSecond(summary.cell()));
        final ObjectNode verdict = node.putObject("verdict");
        verdict.put("good", "GOOD".equals(summary.verdict()));
        verdict.put("label", summary.verdict());
        summary.reasons().forEach(verdict.putArray("reasons")::add);
        node.put("runs", summary.runs().size());
        node.put("goodRuns", summary.goodCount());
        node.put("countedRuns", summary.counted().size());
        node.put("durability", summary.durability());
        node.put("placement", summary.placement());
        if (summary.counted().isEmpty())
        {
            return;
        }

        putSpread(node.putObject("ratePerSecondAchieved"), summary.spread("/ratePerSecondAchieved"));
        for (final String time : SweepRun.TIMES)
        {
            final ObjectNode times = node.putObject(time);
            for (final Percentile percentile : Percentile.values())
            {
                putSpread(
                    times.putObject(percentile.label()), summary.spread("/" + time + "/" + percentile.label()));
            }
        }
    }

    private static void putSpread(final ObjectNode node, final Spread spread)
    {
        node.put("median", spread.median()).put("min", spread.min()).put("max", spread.max());
    }

    private static void putRatio(final ObjectNode node, final Ratio ratio)
    {
        node.put("dimension", ratio.dimension().name().toLowerCase(Locale.ROOT));
        node.put("cell", ratio.cell().number());
        node.put("against", ratio.against().number());
        node.put("runs", ratio.runs());
        node.put("againstRuns", ratio.againstRuns());
        putRounded(node.putObject("ours"), ratio.ours());
        putRounded(node.putObject("oursMin"), ratio.oursMin());
        putRounded(node.putObject("oursMax"), ratio.oursMax());
        if (!ratio.published().isEmpty())
        {
            putRounded(node.putObject("published"), ratio.published());
            node.put("publishedBy", PublishedSetup.SOURCE + ", aeron-java and aeron-c, 100,000 messages/s");
        }
    }

    private static void putSyncCost(final ObjectNode node, final SyncCost cost)
    {
        node.put("cell", cost.cell().number());
        node.put("against", cost.against().number());
        node.put("repeats", cost.p50().repeats());
        node.put("againstRepeats", cost.p50().againstRepeats());
        node.put("p50Ns", cost.p50().median());
        node.put("p50NsMin", cost.p50().min());
        node.put("p50NsMax", cost.p50().max());
        node.put("p50Text", cost.p50Text());
        cost.cpu().ifPresent((cpu) ->
        {
            node.put("cpuSecondsPerMillion", milli(cpu.median()));
            node.put("cpuSecondsPerMillionMin", milli(cpu.min()));
            node.put("cpuSecondsPerMillionMax", milli(cpu.max()));
            node.put("cpuText", cost.cpuText());
        });
        if (cost.syncNs() > 0)
        {
            node.put("syncNs", cost.syncNs());
        }
        else
        {
            node.put("syncMissing", cost.missing());
        }
    }

    private static double milli(final double value)
    {
        return Math.round(value * 1e3) / 1e3;
    }

    private static void putRounded(final ObjectNode node, final Map<String, Double> ratios)
    {
        ratios.forEach((percentile, ratio) -> node.put(percentile, Math.round(ratio * 1e4) / 1e4));
    }
}
