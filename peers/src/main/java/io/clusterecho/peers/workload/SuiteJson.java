package io.clusterecho.peers.workload;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.results.Manifest;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.MachineFacts;

/**
 * What the suite found as one JSON document, from which its page is made.
 */
final class SuiteJson
{
    static final String FILE_NAME = "suite.json";

    /** With the version behind the slash; raised when a field changes its meaning or goes. */
    static final String FORMAT = "cluster-echo-suite/1";

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private SuiteJson()
    {
    }

    static String json(final List<Measured> all, final PublishedRatio published, final SuiteFacts facts)
    {
        final ObjectNode root = MAPPER.createObjectNode();
        root.put("format", FORMAT).put("label", facts.label()).put("start", facts.start().toString()).put("size", facts.size());
        final Map<String, Map<Cell, List<Measured>>> groups = new LinkedHashMap<>();
        for (final Measured measured : all)
        {
            groups.computeIfAbsent(measured.cell().group(), (key) -> new LinkedHashMap<>())
                .computeIfAbsent(measured.cell(), (key) -> new ArrayList<>()).add(measured);
        }
        putVerdict(root.putObject("verdict"), groups, facts);
        root.put("commandLine", facts.commandLine());
        BuildFacts.versions().forEach(root.putObject("versions")::put);
        MachineFacts.machine().forEach(root.putObject("machine")::put);
        root.putArray("groups");
        groups.forEach((name, cells) -> putGroup(root.withArray("groups").addObject(), name, cells, published));
        return Manifest.text(root);
    }

    /**
     * A suite is good when each system gave at least one good run of each load, or showed that it does not bear it where a load
     * goes beyond what some do.
     */
    private static void putVerdict(
        final ObjectNode node, final Map<String, Map<Cell, List<Measured>>> groups, final SuiteFacts facts)
    {
        final List<String> reasons = new ArrayList<>();
        final List<String> warnings = new ArrayList<>();
        groups.forEach((name, cells) -> cells.forEach((cell, runs) ->
        {
            final long goodCount = runs.stream().filter(Measured::isGood).count();
            if (goodCount < runs.size())
            {
                final String first =
                    runs.stream().filter((run) -> !run.isGood()).map(Measured::outcome).findFirst().orElseThrow();
                (runs.stream().noneMatch(Measured::isFinding) ? reasons : warnings).add(
                    name + ", " + cell.system() + ": " + goodCount + " of " + runs.size() + " runs are good (" + first + ")");
            }
        }));
        facts.leftOut().forEach((system, reason) -> warnings.add(system + " was not run: " + reason));
        node.put("good", reasons.isEmpty() && !facts.isPartial());
        node.put("label", facts.isPartial() ? "PARTIAL" : reasons.isEmpty() ? "GOOD" : "FAILED");
        node.put("partial", facts.isPartial());
        reasons.forEach(node.putArray("reasons")::add);
        warnings.forEach(node.putArray("warnings")::add);
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
