package io.clusterecho.client.sweep;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.reporting.report.DocumentedResult;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.Provenance;
import io.clusterecho.reporting.report.ReportPage;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.ResultDocuments;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Spread;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.Settings;
import io.clusterecho.text.Lines;

import org.agrona.IoUtil;

/**
 * Record of a sweep: its plan and every completed run. Each change is written at once, so that a killed sweep resumes after its
 * last completed run. One thread.
 */
public final class SweepRecord
{
    public static final String PLAN_FILE_NAME = "sweep.properties";

    /** Name of the text file, written at the end of the sweep. */
    public static final String TEXT_FILE_NAME = "sweep.txt";

    private static final String RUNS_FILE = "runs.csv";
    private static final double NS_PER_US = 1e3;
    private static final double CHANCE_RATIO = 1.25;

    private final ResultFolder folder;
    private final SweepPlan plan;
    final RunDescription description;
    private final List<Cell> cells;
    final List<SweepRun> runs = new ArrayList<>();
    private String problem = "";

    private SweepRecord(final ResultFolder folder, final SweepPlan plan, final RunDescription description)
    {
        this.folder = folder;
        this.plan = plan;
        this.description = description;
        cells = plan.cells();
    }

    /** Begin a sweep, which can resume from its folder from now on; if it cannot be written, the folder is deleted. */
    public static SweepRecord begin(final ResultFolder folder, final SweepPlan plan, final RunDescription description)
    {
        final StringBuilder text = new StringBuilder("# The plan of this sweep, including the options of the command line.\n");
        plan.properties().forEach((key, value) -> text.append(key).append('=').append(value.replace("\\", "\\\\")).append('\n'));
        try
        {
            folder.write(PLAN_FILE_NAME, text.toString());
        }
        catch (final UncheckedIOException ex)
        {
            folder.discard();
            throw new InvalidSettingException("nothing was measured: " + ex.getMessage());
        }
        final SweepRecord sweep = new SweepRecord(folder, plan, description);
        sweep.store();
        return sweep;
    }

    public static SweepPlan plan(final Path path)
    {
        final Path file = path.resolve(PLAN_FILE_NAME);
        final Map<String, String> properties = new TreeMap<>(Settings.load(file));
        // Of earlier versions, which searched the highest rate of that cell.
        properties.remove("reference");
        return SweepPlan.parse(properties, file.toString());
    }

    public static SweepDocument document(final Path path)
    {
        return Documents.read(path, DocumentKind.SWEEP, (tree) -> Documents.bind(tree, SweepDocument.class));
    }

    public static SweepRecord resume(final Path path)
    {
        final SweepDocument document = document(path);
        final Provenance before = document.provenance();
        final SweepRecord sweep = new SweepRecord(ResultFolder.at(path), plan(path), new RunDescription(
            document.label(), Instant.parse(document.start()), before.commandLine(), new TreeMap<>(before.configuration()),
            Map.of(), before.durability(), before.placement(), 0));
        // A host that was away, or a full disk, may have failed the starts of all that was left.
        document.runs().stream().filter(SweepRun::isStarted).forEach(sweep.runs::add);
        if (sweep.doneCount() < sweep.runCount())
        {
            // These are of fewer runs. They are written again at the end, which may not come.
            IoUtil.deleteIfExists(path.resolve(TEXT_FILE_NAME).toFile());
            IoUtil.deleteIfExists(path.resolve(FileNames.PAGE).toFile());
        }
        return sweep;
    }

    public SweepPlan plan()
    {
        return plan;
    }

    public ResultFolder folder()
    {
        return folder;
    }

    /** Whether a repeat of a cell, from 1, is done, good or not, and need not be repeated. */
    public boolean isDone(final Cell cell, final int repeat)
    {
        return runs.stream().anyMatch((run) -> run.cell() == cell.number() && run.repeat() == repeat);
    }

    /** Add a completed run. If it cannot be written, it is kept here and the sweep stops. */
    public void add(final SweepRun run)
    {
        runs.add(run);
        store();
    }

    public int doneCount()
    {
        return runs.size();
    }

    public int runCount()
    {
        return cells.size() * plan.repeats();
    }

    /** Stop the sweep. The first reason counts. */
    void stop(final String reason)
    {
        if (problem.isEmpty())
        {
            problem = "the sweep ended early, with " + doneCount() + " of " + runCount() + " runs done: " + reason;
        }
    }

    /** Whether the sweep was stopped. The remaining runs can be made by resuming from its folder. */
    boolean isStopped()
    {
        return !problem.isEmpty();
    }

    /** End the sweep, or this part of it. */
    public DocumentedResult.Ended end()
    {
        final ResultDocuments documents = documents();
        documents.add(TEXT_FILE_NAME, (verdict) -> SweepText.text(this, verdict));
        if (!runs.isEmpty())
        {
            ReportPage.addTo(documents);
        }
        final Verdict verdict = documents.write(this::verdict);
        return new DocumentedResult.Ended(
            verdict, documents.text(DocumentKind.SWEEP.fileName()), documents.text(TEXT_FILE_NAME), documents.problems());
    }

    /** @param number of the cell, from 1. */
    Cell cell(final int number)
    {
        return cells.get(number - 1);
    }

    public List<CellSummary> summaries()
    {
        return cells.stream().map(this::summary).toList();
    }

    /** Pairs of compared cells that differ only in a dimension, in which the base has a value. */
    Stream<Twins> twins(final Dimension dimension, final String value)
    {
        final List<CellSummary> compared = summaries().stream().filter(CellSummary::isCompared).toList();
        return compared.stream().flatMap((summary) ->
        {
            final Cell cell = summary.cell();
            final Map<Dimension, String> values = plan.twin(cell, dimension, value);
            return compared.stream().filter((base) -> cell != base.cell() && base.cell().values().equals(values) &&
                base.cell().isSearch() == cell.isSearch() && base.cell().isAtARate() == cell.isAtARate())
                .limit(1).map((base) -> new Twins(summary, base));
        });
    }

    /** A cell, and another that it is compared with. */
    record Twins(CellSummary summary, CellSummary base)
    {
        /** Whether the cell was faster in all repeats, by more than may be chance. */
        private boolean isFaster()
        {
            final Spread own = summary.spread(Percentile.P50);
            final Spread other = base.spread(Percentile.P50);
            return own.max() < other.min() && own.median() * CHANCE_RATIO < other.median();
        }
    }

    private CellSummary summary(final Cell cell)
    {
        return new CellSummary(
            cell, plan.repeats(), runs.stream().filter((run) -> run.cell() == cell.number())
            .sorted((one, other) -> Integer.compare(one.repeat(), other.repeat())).toList());
    }

    /** Judge the sweep by its runs, good if all are, partial while some are not done, and by files that could not be written. */
    public Verdict verdict(final List<String> unwritten)
    {
        final List<String> reasons = new ArrayList<>();
        if (isStopped())
        {
            reasons.add(problem);
        }
        summaries().stream().filter(CellSummary::isFailed).forEach((summary) -> reasons.add(
            name(summary.cell()) + ": " + String.join("; ", summary.reasons())));
        reasons.addAll(unwritten);
        final List<String> warnings = new ArrayList<>();
        final List<SweepRun> remarkable = runs.stream().filter((run) -> !run.warnings().isEmpty()).toList();
        if (!remarkable.isEmpty())
        {
            warnings.add(remarkable.size() + " of " + doneCount() + " runs have warnings; the last: " +
                String.join("; ", remarkable.get(remarkable.size() - 1).warnings()));
        }
        final List<String> disturbed = summaries().stream().filter((summary) -> !summary.disturbances().isEmpty())
            .map((summary) -> name(summary.cell())).toList();
        if (!disturbed.isEmpty())
        {
            warnings.add(
                "disturbed by what does not belong to the sweep, so not comparable with other cells: " +
                String.join("; ", disturbed));
        }
        contradictions().forEach(warnings::add);
        return new Verdict(
            reasons, warnings,
            isWhole() || isStopped() ? "" : doneCount() + " of " + runCount() + " runs are done");
    }

    /** Where more of a setting that can only cost was faster in all repeats: something else differed as well. */
    Stream<String> contradictions()
    {
        return Stream.of(Dimension.FSYNC, Dimension.SIZE).flatMap((dimension) ->
            plan.values().get(dimension).stream().flatMap((lower) -> twins(dimension, lower)
            .filter((twins) -> twins.summary().cell().isRateGiven() && twins.isFaster() &&
                Long.parseLong(lower) < Long.parseLong(twins.summary().cell().value(dimension)))))
            .map((twins) -> Lines.text(
                "%s has a p50 of %s, and %s, which cannot cost more, one of %s: something else differed between them",
                name(twins.summary().cell()), Quantity.formatNs(twins.summary().spread(Percentile.P50).median()),
                name(twins.base().cell()), Quantity.formatNs(twins.base().spread(Percentile.P50).median())));
    }

    public boolean isWhole()
    {
        return runs.size() == runCount();
    }

    /** Rate of a cell in messages per second: the target or, where none is given, the median of those found, 0 without one. */
    public long ratePerSecond(final Cell cell)
    {
        if (!cell.isRateGiven())
        {
            final Spread found = summary(cell).highestRate();
            return null == found ? 0 : Math.round(found.median());
        }

        return cell.ratePerSecond(plan.scale());
    }

    /** Name of a cell by the dimensions that vary, for instance {@code fsync=0 size=288}. */
    public String name(final Cell cell)
    {
        return cell.name(plan.varied());
    }

    private void store()
    {
        final ResultDocuments documents = documents();
        documents.write(this::verdict);
        if (!documents.problems().isEmpty() && !isWhole())
        {
            stop(documents.problems().get(0));
        }
    }

    private ResultDocuments documents()
    {
        final ResultDocuments documents = new ResultDocuments(folder);
        if (!runs.isEmpty())
        {
            documents.addFile(RUNS_FILE, this::csv);
        }
        documents.addRecord(DocumentKind.SWEEP.fileName(), (verdict) -> Documents.text(SweepDocument.of(this, verdict)));
        return documents;
    }

    /** The runs as CSV, a row each. Times are in us. */
    private String csv()
    {
        final List<Map<String, String>> rows = runs.stream().map(this::row).toList();
        return Stream.concat(Stream.of(rows.get(0).keySet()), rows.stream().map(Map::values))
            .map((fields) -> String.join(",", fields) + "\n").collect(Collectors.joining());
    }

    private Map<String, String> row(final SweepRun run)
    {
        final Cell cell = cell(run.cell());
        final Map<String, String> row = new LinkedHashMap<>();
        row.put("run", String.valueOf(runs.indexOf(run) + 1));
        row.put("repeat", String.valueOf(run.repeat()));
        row.put("cell", String.valueOf(cell.number()));
        cell.values().forEach((dimension, value) -> row.put(dimension.key(), value));
        row.put("rate_per_second", String.valueOf(
            cell.isRateGiven() ? ratePerSecond(cell) : run.foundRatePerSecond()));
        row.put("verdict", run.verdict().label());
        row.put("achieved", number(run.isMeasured() ? run.ratePerSecondAchieved() : null, 1));
        Stream.of(Percentile.values()).forEach((percentile) -> row.put("response_" + percentile.label() + "_us",
            number(run.isMeasured() ? SweepRun.at(run.responseTimeNs(), percentile) : null, NS_PER_US)));
        row.put("response_" + SweepRun.P99_5 + "_us", number(run.responseP99_5Ns(), NS_PER_US));
        SweepRun.MemberReturn.NAMES.forEach((name) -> row.put(
            // For instance caught_up_us of caughtUpNs.
            name.replaceFirst("Ns$", "Us").replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT),
            number(null == run.memberReturn() ? null : run.memberReturn().number(name), NS_PER_US)));
        row.put("start", Objects.toString(run.start(), ""));
        row.put("folder", Objects.toString(run.folder(), ""));
        row.put("reasons",
            "\"" + String.join("; ", run.reasons()).replace("\"", "\"\"").replaceAll("\\R", " / ") + "\"");
        return row;
    }

    private static String number(final Number value, final double unit)
    {
        return null == value ? "" : String.format(Locale.ROOT, "%.3f", value.doubleValue() / unit);
    }

    static Map<String, String> values(final Cell cell)
    {
        final Map<String, String> values = new TreeMap<>();
        cell.values().forEach((dimension, value) -> values.put(dimension.key(), value));
        return values;
    }
}
