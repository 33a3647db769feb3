package io.clusterecho.client.sweep;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.report.ReportPage;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.ResultDocuments;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

/**
 * What is known of a sweep: its plan and every run that is done. Each change is written at once, so that a sweep whose
 * process was killed goes on after the last run that had ended. One thread.
 */
public final class SweepRecord
{
    /**
     * File of the plan.
     */
    public static final String PLAN_FILE_NAME = "sweep.properties";

    /**
     * File of what a person reads, when the sweep is over.
     */
    public static final String TEXT_FILE_NAME = "sweep.txt";

    private static final String CELLS_FILE = "cells.csv";
    private static final String RUNS_FILE = "runs.csv";

    private final ResultFolder folder;
    private final SweepPlan plan;
    private final RunDescription description;
    private final List<Cell> cells;
    private final List<SweepRun> runs = new ArrayList<>();
    private SweepDocument.Highest maxRate;
    private String problem = "";
    private boolean isDisconnected;

    /**
     * What a sweep came to. Text and JSON are there whether or not they could be written.
     *
     * @param json       of it.
     * @param text       of it, for a person.
     * @param exitStatus of the process, by the verdict that both hold.
     */
    public record Ended(String json, String text, int exitStatus)
    {
    }

    private SweepRecord(final ResultFolder folder, final SweepPlan plan, final RunDescription description)
    {
        this.folder = folder;
        this.plan = plan;
        this.description = description;
        cells = plan.cells();
    }

    /**
     * A sweep that begins.
     *
     * @param folder      new.
     * @param plan        of it.
     * @param description of it.
     * @return the record; a sweep can resume from its folder from now on.
     * @throws InvalidSettingException if it cannot be written; the folder is gone then.
     */
    public static SweepRecord begin(final ResultFolder folder, final SweepPlan plan, final RunDescription description)
    {
        final StringBuilder text = new StringBuilder("# What this sweep crosses, with all that was given on the command line.\n");
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

    /**
     * The plan of a sweep that was begun before.
     *
     * @param path of its folder.
     */
    public static SweepPlan plan(final Path path)
    {
        final Path file = path.resolve(PLAN_FILE_NAME);
        return SweepPlan.parse(new TreeMap<>(Settings.load(file)), file.toString());
    }

    /**
     * A sweep that was begun before.
     *
     * @param path of its folder.
     * @return what is known of it, as written.
     * @throws InvalidSettingException if that cannot be read.
     */
    public static SweepDocument document(final Path path)
    {
        final Path file = path.resolve(DocumentKind.SWEEP.fileName());
        try
        {
            return Documents.bind(
                Documents.checked(Documents.parse(Files.readString(file)), DocumentKind.SWEEP.format(), List.of("/runs")),
                SweepDocument.class);
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            throw new InvalidSettingException(
                file + " cannot be read: " + (ex instanceof IOException ? ex.toString() : ex.getMessage()));
        }
    }

    /**
     * Go on with a sweep that was begun before.
     *
     * @param path        of its folder.
     * @param description of the sweep.
     */
    public static SweepRecord resume(final Path path, final RunDescription description)
    {
        final SweepRecord sweep = new SweepRecord(ResultFolder.at(path), plan(path), description);
        final SweepDocument document = document(path);
        sweep.runs.addAll(document.runs());
        sweep.maxRate = document.maxRate();
        return sweep;
    }

    /**
     * Plan of the sweep.
     */
    public SweepPlan plan()
    {
        return plan;
    }

    /**
     * Folder of the sweep.
     */
    public ResultFolder folder()
    {
        return folder;
    }

    RunDescription description()
    {
        return description;
    }

    List<SweepRun> runs()
    {
        return runs;
    }

    Optional<SweepDocument.Highest> maxRate()
    {
        return Optional.ofNullable(maxRate);
    }

    /**
     * Highest rate, of which rates may be shares.
     *
     * @return messages per second, or 0 when it is not known.
     */
    public long maxRatePerSecond()
    {
        return null == maxRate ? 0 : maxRate.ratePerSecond();
    }

    /**
     * Take the highest rate.
     *
     * @param ratePerSecond found or given.
     * @param source        in words.
     * @param searchFolder  as seen from the sweep's, or empty.
     */
    public void maxRate(final long ratePerSecond, final String source, final String searchFolder)
    {
        maxRate = new SweepDocument.Highest(ratePerSecond, source, searchFolder);
        store();
    }

    /**
     * Whether a run was done, good or not.
     *
     * @param cell   of it.
     * @param repeat of the cell, from 1.
     * @return true if it need not be done again.
     */
    public boolean isDone(final Cell cell, final int repeat)
    {
        return runs.stream().anyMatch((run) -> run.cell() == cell.number() && run.repeat() == repeat);
    }

    /**
     * Take a run that is done. Where it cannot be written, it stays known here, and the sweep stops.
     *
     * @param run of it.
     */
    public void add(final SweepRun run)
    {
        runs.add(run);
        store();
    }

    /**
     * Runs that are done.
     */
    public int doneCount()
    {
        return runs.size();
    }

    /**
     * Runs of the whole sweep.
     */
    public int runCount()
    {
        return cells.size() * plan.repeats();
    }

    /**
     * The sweep cannot go on.
     *
     * @param reason        in a sentence; the first one counts.
     * @param isForNoSession whether it is that there was no session, or none any more.
     */
    void stop(final String reason, final boolean isForNoSession)
    {
        if (problem.isEmpty())
        {
            problem = "the sweep ended early, with " + doneCount() + " of " + runCount() + " runs done: " + reason;
            isDisconnected = isForNoSession;
        }
    }

    /**
     * Whether the sweep cannot go on. What is open is done when it resumes from its folder.
     */
    boolean isStopped()
    {
        return !problem.isEmpty();
    }

    /**
     * The sweep, or this part of it, is over.
     *
     * @return what it came to.
     */
    public Ended end()
    {
        final ResultDocuments documents = documents();
        documents.add(TEXT_FILE_NAME, (verdict) -> SweepText.text(this, verdict));
        if (!runs.isEmpty())
        {
            documents.addPage(
                FileNames.PAGE,
                () -> ReportPage.write(folder.path().resolve(FileNames.PAGE), List.of(folder.path())));
        }
        final Verdict verdict = documents.write(this::verdict);
        return new Ended(
            documents.text(DocumentKind.SWEEP.fileName()), documents.text(TEXT_FILE_NAME), ExitCode.of(verdict, isDisconnected));
    }

    /**
     * Every cell.
     *
     * @return in order.
     */
    public List<CellSummary> summaries()
    {
        return cells.stream().map((cell) -> new CellSummary(
            cell, plan.repeats(), runs.stream().filter((run) -> run.cell() == cell.number())
            .sorted((one, other) -> Integer.compare(one.repeat(), other.repeat())).toList())).toList();
    }

    /**
     * Judge the sweep by its runs: good when all of them are, partial while some are not done.
     *
     * @param unwritten what of its result could not be written, a sentence each.
     */
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
            warnings.add(remarkable.size() + " of " + doneCount() + " runs carry warnings; the last of them: " +
                String.join("; ", remarkable.get(remarkable.size() - 1).warnings()));
        }
        return Verdict.ofRuns(
            reasons, warnings,
            isWhole() || isStopped() ? "" : doneCount() + " of " + runCount() + " runs are done");
    }

    /**
     * Whether every run was done.
     *
     * @return true if so.
     */
    public boolean isWhole()
    {
        return runs.size() == runCount();
    }

    /**
     * Messages per second of a cell.
     *
     * @param cell of the sweep.
     * @return the rate, or 0 while it is not known.
     */
    public long ratePerSecond(final Cell cell)
    {
        return cell.value(Dimension.RATE).endsWith("%") && 0 == maxRatePerSecond() ? 0 :
            cell.ratePerSecond(maxRatePerSecond(), plan.scale());
    }

    /**
     * What cells differ from one another in.
     *
     * @param cell of the sweep.
     * @return for instance {@code fsync=0 size=288}.
     */
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
            stop(documents.problems().get(0), false);
        }
    }

    private ResultDocuments documents()
    {
        final ResultDocuments documents = new ResultDocuments(folder);
        if (!runs.isEmpty())
        {
            documents.addFile(CELLS_FILE, () -> folder.write(CELLS_FILE, SweepCsv.cells(this)));
            documents.addFile(RUNS_FILE, () -> folder.write(RUNS_FILE, SweepCsv.runs(this)));
        }
        documents.addRecord(DocumentKind.SWEEP.fileName(), (verdict) -> Documents.text(SweepDocument.of(this, verdict)));
        return documents;
    }

    static Map<String, String> values(final Cell cell)
    {
        final Map<String, String> values = new TreeMap<>();
        cell.values().forEach((dimension, value) -> values.put(dimension.key(), value));
        return values;
    }
}
