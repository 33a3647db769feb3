package io.clusterecho.peers.workload;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.MachineFacts;
import io.clusterecho.reporting.document.Range;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Spread;
import io.clusterecho.reporting.results.Verdict;

/** The result of the suite as {@code suite.json}, the source of its page. */
record SuiteDocument(
    String format, String label, String start, String size, StoredVerdict verdict, String commandLine,
    Map<String, String> versions, Map<String, String> machine, List<Group> groups)
{
    /** Systems that are compared with each other. */
    record Group(
        String name, String workload, String base, String publishedBy, List<Measure> metrics, List<PeerSystem> systems)
    {
        static Group of(final String name, final Map<WorkloadCell, List<CellResult>> cells, final CellFigures published)
        {
            final Workload workload = cells.keySet().iterator().next().workload();
            final WorkloadCell base = cells.keySet().stream()
                .filter((cell) -> cell.system().equals(workload.base())).findFirst().orElse(null);
            final List<CellResult> baseRuns = null == base ? List.of() : cells.get(base);
            return new Group(
                name, workload.label(), workload.base(), workload.published().source(),
                workload.metrics().stream().map((metric) -> new Measure(metric.label(), metric.unit())).toList(),
                cells.entrySet().stream()
                .map((entry) -> PeerSystem.of(entry.getKey(), entry.getValue(), base, baseRuns, published)).toList());
        }
    }

    /** A metric and its unit. */
    record Measure(String name, String unit)
    {
    }

    /**
     * A system: its values by metric, their ratios to those of the base, and the published ratios or what differs in the report.
     */
    record PeerSystem(
        String name, int runs, long goodRuns, Long clientLimitedRuns, List<String> failures, List<String> warnings,
        Range warmUpNs, Map<String, Range> values, Map<String, Range> ratios, Map<String, Double> published,
        List<String> publishedDiffers, List<String> publishedNotStated)
    {
        static PeerSystem of(
            final WorkloadCell cell,
            final List<CellResult> runs,
            final WorkloadCell base,
            final List<CellResult> baseRuns,
            final CellFigures published)
        {
            final Map<String, Range> values = new LinkedHashMap<>();
            final Map<String, Range> ratios = new LinkedHashMap<>();
            final Map<String, Double> theirs = new LinkedHashMap<>();
            final boolean isCompared = SuiteReport.isCompared(runs, baseRuns);
            for (final Workload.Metric metric : cell.workload().metrics())
            {
                final Spread own = SuiteReport.spread(runs, (run) -> run.values().get(metric));
                final Spread other = SuiteReport.spread(baseRuns, (run) -> run.values().get(metric));
                if (null != own)
                {
                    values.put(metric.label(), Range.of(own));
                }
                if (null != own && null != other)
                {
                    ratios.put(metric.label(), Range.of(own.dividedBy(other)));
                }
                if (isCompared)
                {
                    published.ratio(cell, base, metric).ratio().ifPresent((ratio) -> theirs.put(metric.label(), ratio));
                }
            }

            final long clientLimitedCount = SuiteReport.clientLimitedCount(runs);
            final Spread warmUpNs = SuiteReport.spread(runs, CellResult::warmUpNs);
            return new PeerSystem(
                cell.system(), runs.size(), runs.stream().filter(CellResult::isGood).count(),
                0 == clientLimitedCount ? null : clientLimitedCount,
                runs.stream().filter((run) -> !run.isGood()).map(CellResult::outcome).distinct().toList(),
                SuiteReport.warnings(runs), null == warmUpNs ? null : Range.of(warmUpNs), values, ratios, theirs,
                published.differences(cell, base),
                isCompared ? published.notStated(cell, base) : List.of());
        }
    }

    /** Make the document. */
    static SuiteDocument of(
        final List<CellResult> all, final CellFigures published, final SuiteFacts facts, final Verdict verdict)
    {
        return new SuiteDocument(
            DocumentKind.SUITE.format(), facts.label(), facts.start().toString(), facts.size(), StoredVerdict.of(verdict),
            facts.commandLine(), BuildFacts.versions(), MachineFacts.machine(),
            SuiteReport.groups(all).entrySet().stream()
            .map((group) -> Group.of(group.getKey(), group.getValue(), published)).toList());
    }
}
