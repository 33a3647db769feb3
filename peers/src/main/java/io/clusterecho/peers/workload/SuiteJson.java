package io.clusterecho.peers.workload;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.results.Manifest;
import io.clusterecho.client.results.DocumentKind;
import io.clusterecho.client.results.Verdict;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.MachineFacts;

/**
 * What the suite found as one JSON document, from which its page is made.
 */
final class SuiteJson
{
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private SuiteJson()
    {
    }

    static String json(
        final List<Measured> all, final PublishedRatio published, final SuiteFacts facts, final Verdict verdict)
    {
        final ObjectNode root = MAPPER.createObjectNode();
        root.put("format", DocumentKind.SUITE.format()).put("label", facts.label()).put("start", facts.start().toString())
            .put("size", facts.size());
        final Map<String, Map<Cell, List<Measured>>> groups = new LinkedHashMap<>();
        for (final Measured measured : all)
        {
            groups.computeIfAbsent(measured.cell().group(), (key) -> new LinkedHashMap<>())
                .computeIfAbsent(measured.cell(), (key) -> new ArrayList<>()).add(measured);
        }
        Manifest.putVerdict(root.putObject("verdict"), verdict);
        root.put("commandLine", facts.commandLine());
        BuildFacts.versions().forEach(root.putObject("versions")::put);
        MachineFacts.machine().forEach(root.putObject("machine")::put);
        root.putArray("groups");
        groups.forEach((name, cells) -> putGroup(root.withArray("groups").addObject(), name, cells, published));
        return Manifest.text(root);
    }

    private static void putGroup(
        final ObjectNode node, final String name, final Map<Cell, List<Measured>> cells, final PublishedRatio published)
    {
        final Workload workload = cells.keySet().iterator().next().workload();
        final List<Measured> baseRuns = cells.entrySet().stream()
            .filter((entry) -> entry.getKey().system().equals(workload.base())).map(Map.Entry::getValue).findFirst()
            .orElse(List.of());
        node.put("name", name).put("workload", workload.label()).put("base", workload.base());
        node.put("publishedBy", workload.published().source());
        workload.metrics().forEach((metric) ->
            node.withArray("metrics").addObject().put("name", metric.label()).put("unit", metric.unit()));
        cells.forEach((cell, runs) ->
        {
            final ObjectNode system = node.withArray("systems").addObject();
            system.put("name", cell.system()).put("runs", runs.size());
            system.put("goodRuns", runs.stream().filter(Measured::isGood).count());
            runs.stream().filter((run) -> !run.isGood()).map(Measured::outcome).distinct()
                .forEach(system.putArray("failures")::add);
            final ObjectNode values = system.putObject("values");
            final ObjectNode ratios = system.putObject("ratios");
            final ObjectNode theirs = system.putObject("published");
            for (final Workload.Metric metric : workload.metrics())
            {
                final double[] own = SuiteReport.values(runs, metric);
                final double[] base = SuiteReport.values(baseRuns, metric);
                if (own.length > 0)
                {
                    put(values.putObject(metric.label()), own[0], SuiteReport.median(own), own[own.length - 1]);
                }
                if (own.length > 0 && base.length > 0)
                {
                    put(
                        ratios.putObject(metric.label()), own[0] / base[base.length - 1],
                        SuiteReport.median(own) / SuiteReport.median(base), own[own.length - 1] / base[0]);
                }
                published.of(cell, metric).ifPresent((ratio) -> theirs.put(metric.label(), ratio));
            }
        });
    }

    private static void put(final ObjectNode node, final double min, final double median, final double max)
    {
        node.put("median", median).put("min", min).put("max", max);
    }
}
