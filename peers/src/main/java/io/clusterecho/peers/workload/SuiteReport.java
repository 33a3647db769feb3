package io.clusterecho.peers.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import io.clusterecho.peers.Facts;
import io.clusterecho.peers.Peer;
import io.clusterecho.peers.PeerNames;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.MachineFacts;
import io.clusterecho.reporting.published.PublishedRatio;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.Quantity;
import io.clusterecho.statistics.NearestRank;
import io.clusterecho.text.TextTable;

/**
 * Report of the suite: raw values as CSV; Markdown tables of medians, spreads, ratios to the base system of each workload, and
 * published ratios.
 */
final class SuiteReport
{
    private SuiteReport()
    {
    }

    /** Each value of each run. */
    static String csv(final List<CellResult> all)
    {
        final StringBuilder csv = new StringBuilder("workload,setup,system,round,metric,value,unit,outcome,warm_up_s\n");
        for (final CellResult measured : all)
        {
            final WorkloadCell cell = measured.cell();
            final String begin = String.join(
                ",", cell.workload().label(), quoted(cell.setup()), cell.system(), String.valueOf(measured.round()));
            final String end = quoted(measured.outcome()) + ',' +
                (null == measured.warmUpNs() ? "" : String.format(Locale.ROOT, "%.1f", measured.warmUpNs() / 1e9));
            if (measured.values().isEmpty())
            {
                csv.append(begin).append(",,,,").append(end).append('\n');
            }
            measured.values().forEach((metric, value) -> csv.append(String.format(
                Locale.ROOT, "%s,%s,%.0f,%s,%s%n", begin, metric.label(), value, metric.unit(), end)));
        }

        return csv.toString();
    }

    /** Tables in Markdown, one for each group of cells. */
    static String markdown(
        final List<CellResult> all, final CellFigures published, final SuiteFacts facts, final Verdict verdict)
    {
        final StringBuilder text = new StringBuilder(8192);
        text.append("# Peers: ").append(facts.size()).append("\n\n");
        text.append("**").append(verdict.label()).append("**\n\n");
        verdict.allReasons().forEach((reason) -> text.append("- ").append(reason).append('\n'));
        text.append(verdict.allReasons().isEmpty() ? "" : "\n");
        text.append("Each value is the median over rounds, with minimum and maximum in parentheses. Runs of different systems ")
            .append("are interleaved within each round. A ratio is a system's value divided by that of the *base*. *Published* ")
            .append("is the ratio in the public report, measured on other machines: compare ratios, never absolute figures. ")
            .append("It is there only where system, call style, message, load and metric of both systems are those of the ")
            .append("report, and both have a figure here; *differs* is explained below the table. *Warm-up* is how long it took ")
            .append("until the run was steady, where the run decided that. Runs that were not steady are listed below the ")
            .append("tables and are in none of them.\n\n");
        text.append("    ").append(facts.commandLine()).append("\n\n");
        facts.skipped().forEach((system, reason) ->
            text.append("Not run: `").append(system).append("`, ").append(reason).append(".\n\n"));
        BuildFacts.versions().forEach((name, value) -> text.append("- ").append(name).append(": ").append(value).append('\n'));
        MachineFacts.machine().forEach((name, value) -> text.append("- ").append(name).append(": ").append(value).append('\n'));

        all.stream().map((measured) -> measured.cell().system()).distinct().forEach((system) ->
            PeerNames.peers().stream().filter((peer) -> peer.name().equals(system)).map(Peer::facts).forEach((known) ->
                text.append("- `").append(system).append("`: ").append(known.get(Facts.LIBRARY)).append("; ")
                .append(known.get(Facts.TUNING)).append('\n')));

        groups(all).forEach((name, cells) -> table(text, name, cells, published));
        return text.toString();
    }

    /** The results of each cell, by group, both in the order of the runs. */
    static Map<String, Map<WorkloadCell, List<CellResult>>> groups(final List<CellResult> all)
    {
        return all.stream().collect(Collectors.groupingBy(
            (measured) -> measured.cell().group(), LinkedHashMap::new,
            Collectors.groupingBy(CellResult::cell, LinkedHashMap::new, Collectors.toList())));
    }

    private static void table(
        final StringBuilder text,
        final String name,
        final Map<WorkloadCell, List<CellResult>> cells,
        final CellFigures published)
    {
        final WorkloadCell first = cells.keySet().iterator().next();
        final Workload workload = first.workload();
        final WorkloadCell base = cells.keySet().stream()
            .filter((cell) -> cell.system().equals(workload.base())).findFirst().orElse(null);
        final TextTable table = new TextTable().left("system");
        workload.metrics().forEach((metric) -> table.left(metric.label()).left("ratio").left("published"));
        table.left("warm-up").left("runs");
        final StringBuilder notes = new StringBuilder();
        cells.forEach((cell, runs) ->
        {
            final List<String> row = new ArrayList<>(List.of(cell.system() + (cell.equals(base) ? " *(base)*" : "")));
            for (final Workload.Metric metric : workload.metrics())
            {
                final double[] values = values(runs, metric);
                final double[] baseValues = null == base ? new double[0] : values(cells.get(base), metric);
                row.add(0 == values.length ? "-" : cellText(values, metric));
                row.add(0 == values.length || 0 == baseValues.length ? "-" : ratio(values, baseValues));
                final PublishedRatio theirs = published.ratio(cell, base, metric);
                row.add(!theirs.differences().isEmpty() ? "differs" :
                    theirs.ratio().isPresent() && isCompared(runs, base, cells) ? two(theirs.ratio().getAsDouble()) : "-");
            }
            row.add(warmUpText(runs));
            row.add(outcomes(runs));
            table.row(row);
            note(notes, cell.system(), "not the experiment of the report", PublishedNotes.differences(published, cell, base));
            if (isCompared(runs, base, cells))
            {
                note(notes, cell.system(), "not stated by the report", PublishedNotes.notStated(published, cell, base));
            }
        });
        cells.values().forEach((runs) -> runs.stream().filter(CellResult::isUnsteady).forEach((run) -> unsteady(notes, run)));
        cells.forEach((cell, runs) ->
        {
            final long count = clientLimitedCount(runs);
            if (count > 0)
            {
                note(notes, cell.system(), Verdict.CLIENT_LIMITED, List.of(
                    "in " + count + " of " + runs.size() + " runs half or more of the slowest 1% was the client's"));
            }
            note(notes, cell.system(), "warnings", warnings(runs));
        });
        text.append("\n## ").append(name).append("\n\n").append(table.markdown());
        text.append(notes.length() > 0 ? "\n" : "").append(notes);
    }

    private static boolean isCompared(
        final List<CellResult> runs, final WorkloadCell base, final Map<WorkloadCell, List<CellResult>> cells)
    {
        return isCompared(runs, null == base ? List.of() : cells.get(base));
    }

    /** Whether both have a figure that shows the system, so that there is a ratio to compare with a published one. */
    static boolean isCompared(final List<CellResult> runs, final List<CellResult> baseRuns)
    {
        return runs.stream().anyMatch(CellResult::isGood) && baseRuns.stream().anyMatch(CellResult::isGood) &&
            !isClientLimited(runs) && !isClientLimited(baseRuns);
    }

    private static boolean isClientLimited(final List<CellResult> runs)
    {
        return 2 * clientLimitedCount(runs) >= runs.stream().filter(CellResult::isGood).count();
    }

    static long clientLimitedCount(final List<CellResult> runs)
    {
        return runs.stream().filter(CellResult::isClientLimited).count();
    }

    private static void unsteady(final StringBuilder notes, final CellResult run)
    {
        notes.append("- `").append(run.cell().system()).append("`, round ").append(run.round()).append(", ")
            .append(run.outcome().replace("|", "/"));
        if (null != run.warmUpNs())
        {
            notes.append(" after ").append(Quantity.formatNs(run.warmUpNs()));
        }
        notes.append('\n');
    }

    private static void note(
        final StringBuilder notes, final String system, final String kind, final List<String> phrases)
    {
        if (!phrases.isEmpty())
        {
            notes.append("- `").append(system).append("`, ").append(kind).append(": ").append(String.join("; ", phrases))
                .append('\n');
        }
    }

    /** The warnings of good runs, each with its round. */
    static List<String> warnings(final List<CellResult> runs)
    {
        return runs.stream().filter(CellResult::isGood)
            .flatMap((run) -> run.warnings().stream().map((warning) -> "round " + run.round() + ": " + warning)).toList();
    }

    /** The values of good runs, sorted. */
    static double[] values(final List<CellResult> runs, final Workload.Metric metric)
    {
        return runs.stream().filter((run) -> run.isGood() && run.values().containsKey(metric))
            .mapToDouble((run) -> run.values().get(metric)).sorted().toArray();
    }

    static double median(final double[] sorted)
    {
        return sorted[NearestRank.index(sorted.length, NearestRank.MEDIAN)];
    }

    /** Lengths of the warm-ups of good runs that ended them when steady, sorted. */
    static double[] warmUpsNs(final List<CellResult> runs)
    {
        return runs.stream().filter((run) -> run.isGood() && null != run.warmUpNs()).mapToDouble(CellResult::warmUpNs).sorted()
            .toArray();
    }

    private static String warmUpText(final List<CellResult> runs)
    {
        final double[] lengthsNs = warmUpsNs(runs);
        return 0 == lengthsNs.length ? "-" : Quantity.formatNs(median(lengthsNs)) +
            (1 == lengthsNs.length ? "" : " (" + Quantity.formatNs(lengthsNs[0]) + " to " +
            Quantity.formatNs(lengthsNs[lengthsNs.length - 1]) + ")");
    }

    private static String ratio(final double[] values, final double[] baseValues)
    {
        if (1 == values.length && 1 == baseValues.length)
        {
            return two(values[0] / baseValues[0]);
        }

        return two(median(values) / median(baseValues)) + " (" + two(values[0] / baseValues[baseValues.length - 1]) + " to " +
            two(values[values.length - 1] / baseValues[0]) + ")";
    }

    private static String cellText(final double[] values, final Workload.Metric metric)
    {
        return one(median(values), metric) +
            (1 == values.length ? "" : " (" + one(values[0], metric) + " to " + one(values[values.length - 1], metric) + ")");
    }

    private static String one(final double value, final Workload.Metric metric)
    {
        return Workload.Metric.RATE == metric ? String.format(Locale.ROOT, "%,.0f/s", value) : Quantity.formatNs(value);
    }

    private static String two(final double value)
    {
        return String.format(Locale.ROOT, value >= 99.5 ? "%.0f" : value >= 0.1 ? "%.2f" : "%.4f", value);
    }

    private static String outcomes(final List<CellResult> runs)
    {
        final long goodCount = runs.stream().filter(CellResult::isGood).count();
        final String[] failures =
            runs.stream().filter((run) -> !run.isGood()).map(CellResult::outcome).distinct().toArray(String[]::new);
        return goodCount + " of " + runs.size() + " good" +
            (0 == failures.length ? "" : ": " + String.join("; ", Arrays.asList(failures)).replace("|", "/"));
    }

    private static String quoted(final String text)
    {
        return text.matches("[^,\"\n]*") ? text : "\"" + text.replace("\"", "\"\"").replace("\n", " ") + "\"";
    }
}
