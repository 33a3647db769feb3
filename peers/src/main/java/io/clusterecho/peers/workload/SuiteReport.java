package io.clusterecho.peers.workload;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.clusterecho.peers.Facts;
import io.clusterecho.peers.Peer;
import io.clusterecho.peers.PeerNames;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.MachineFacts;
import io.clusterecho.reporting.document.Range;
import io.clusterecho.reporting.results.Spread;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.Quantity;
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

    /**
     * Decide the verdict: a suite is good if each system completed at least one good run of each workload, or was shown not to
     * sustain it where a workload is beyond some systems.
     *
     * @param problems that ended the suite early or left its result incomplete; a sentence each.
     */
    static Verdict verdict(final List<CellResult> all, final SuiteFacts facts, final List<String> problems)
    {
        final List<String> reasons = new ArrayList<>(problems);
        final List<String> warnings = new ArrayList<>();
        final Map<WorkloadCell, List<CellResult>> cells =
            all.stream().collect(Collectors.groupingBy(CellResult::cell, LinkedHashMap::new, Collectors.toList()));
        cells.forEach((cell, runs) ->
        {
            final long goodCount = runs.stream().filter(CellResult::isGood).count();
            if (goodCount < runs.size())
            {
                final String first =
                    runs.stream().filter((run) -> !run.isGood()).map(CellResult::outcome).findFirst().orElseThrow();
                (runs.stream().noneMatch(CellResult::isFinding) ? reasons : warnings).add(
                    cell.group() + ", " + cell.system() + ": " + goodCount + " of " + runs.size() + " runs are good (" + first +
                    ")");
            }
        });
        facts.skipped().forEach((system, reason) -> warnings.add(system + " was not run: " + reason));
        return Verdict.ofRuns(reasons, warnings, facts.isPartial() ? "interrupted" : "");
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
    static String markdown(final List<CellResult> all, final CellFigures published, final SuiteFacts facts, final Verdict verdict)
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

        for (final SuiteDocument.Group group : SuiteDocument.of(all, published, facts, verdict).groups())
        {
            table(text, group, all);
        }
        return text.toString();
    }

    /** The results of each cell, by group, both in the order of the runs. */
    static Map<String, Map<WorkloadCell, List<CellResult>>> groups(final List<CellResult> all)
    {
        return all.stream().collect(Collectors.groupingBy(
            (measured) -> measured.cell().group(), LinkedHashMap::new,
            Collectors.groupingBy(CellResult::cell, LinkedHashMap::new, Collectors.toList())));
    }

    private static void table(final StringBuilder text, final SuiteDocument.Group group, final List<CellResult> all)
    {
        final TextTable table = new TextTable().left("system");
        group.metrics().forEach((metric) -> table.left(metric.name()).left("ratio").left("published"));
        table.left("warm-up").left("runs");
        final StringBuilder notes = new StringBuilder();
        for (final SuiteDocument.PeerSystem system : group.systems())
        {
            final List<String> row =
                new ArrayList<>(List.of(system.name() + (system.name().equals(group.base()) ? " *(base)*" : "")));
            for (final SuiteDocument.Measure metric : group.metrics())
            {
                final Double theirs = system.published().get(metric.name());
                row.add(range(
                    system.values().get(metric.name()),
                    (value) -> "ns".equals(metric.unit()) ?
                    Quantity.formatNs(value) : String.format(Locale.ROOT, "%,.0f/s", value)));
                row.add(range(system.ratios().get(metric.name()), SuiteReport::two));
                row.add(null != theirs ? two(theirs) : system.publishedDiffers().isEmpty() ? "-" : "differs");
            }
            row.add(range(system.warmUpNs(), Quantity::formatNs));
            row.add(system.goodRuns() + " of " + system.runs() + " good" +
                (system.failures().isEmpty() ? "" : ": " + String.join("; ", system.failures()).replace("|", "/")));
            table.row(row);
            note(notes, system.name(), "not the experiment of the report", system.publishedDiffers());
            note(notes, system.name(), "not stated by the report", system.publishedNotStated());
        }
        all.stream().filter((run) -> run.cell().group().equals(group.name()) && run.isUnsteady())
            .forEach((run) -> unsteady(notes, run));
        for (final SuiteDocument.PeerSystem system : group.systems())
        {
            if (null != system.clientLimitedRuns())
            {
                note(notes, system.name(), Verdict.CLIENT_LIMITED, List.of("in " + system.clientLimitedRuns() + " of " +
                    system.runs() + " runs half or more of the slowest 1% was the client's"));
            }
            note(notes, system.name(), "warnings", system.warnings());
        }
        text.append("\n## ").append(group.name()).append("\n\n").append(table.markdown());
        text.append(notes.length() > 0 ? "\n" : "").append(notes);
    }

    private static String range(final Range range, final DoubleFunction<String> text)
    {
        return null == range ? "-" : text.apply(range.median()) + (range.min() == range.max() ? "" :
            " (" + text.apply(range.min()) + " to " + text.apply(range.max()) + ")");
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

    private static void note(final StringBuilder notes, final String system, final String kind, final List<String> phrases)
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

    /** Spread of a number over the good runs that have it, or null if none has. */
    static Spread spread(final List<CellResult> runs, final Function<CellResult, Double> number)
    {
        final double[] values = runs.stream().filter(CellResult::isGood).map(number).filter(Objects::nonNull)
            .mapToDouble(Double::doubleValue).toArray();
        return 0 == values.length ? null : Spread.of(values);
    }

    private static String two(final double value)
    {
        return String.format(Locale.ROOT, value >= 99.5 ? "%.0f" : value >= 0.1 ? "%.2f" : "%.4f", value);
    }

    private static String quoted(final String text)
    {
        return text.matches("[^,\"\n]*") ? text : "\"" + text.replace("\"", "\"\"").replace("\n", " ") + "\"";
    }
}
