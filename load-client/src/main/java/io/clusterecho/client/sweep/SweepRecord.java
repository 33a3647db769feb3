package io.clusterecho.client.sweep;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.client.results.ResultFolder;
import io.clusterecho.client.results.RunDescription;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

/**
 * What is known of a sweep: its plan and every run that is done. Each change is written at once, so that a sweep whose
 * process was killed goes on after the last run that had ended. One thread.
 */
public final class SweepRecord
{
    /**
     * File of all that was measured.
     */
    public static final String FILE_NAME = "sweep.json";

    /**
     * File of the plan.
     */
    public static final String PLAN_FILE_NAME = "sweep.properties";

    /**
     * File of what a person reads, when the sweep is over.
     */
    public static final String TEXT_FILE_NAME = "sweep.txt";

    private final ResultFolder folder;
    private final SweepPlan plan;
    private final RunDescription description;
    private final List<Cell> cells;
    private final List<SweepRun> runs = new ArrayList<>();
    private JsonNode maxRate;
    private boolean isEnded;

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
     * @return the record; its folder can be gone on with from now on.
     */
    public static SweepRecord begin(final ResultFolder folder, final SweepPlan plan, final RunDescription description)
    {
        final StringBuilder text = new StringBuilder("# What this sweep crosses, with all that was given on the command line.\n");
        plan.properties().forEach((key, value) -> text.append(key).append('=').append(value.replace("\\", "\\\\")).append('\n'));
        folder.write(PLAN_FILE_NAME, text.toString());
        final SweepRecord sweep = new SweepRecord(folder, plan, description);
        sweep.store();
        return sweep;
    }

    /**
     * The plan of a sweep that was begun before.
     *
     * @param path of its folder.
     * @return the plan.
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
    public static JsonNode document(final Path path)
    {
        final Path file = path.resolve(FILE_NAME);
        try
        {
            final JsonNode document = new ObjectMapper().readTree(file.toFile());
            if (!SweepJson.FORMAT.equals(document.path("format").asText()))
            {
                throw new InvalidSettingException(
                    file + " cannot be read: its format is '" + document.path("format").asText() +
                    "', and this version reads '" + SweepJson.FORMAT + "'");
            }
            return document;
        }
        catch (final IOException ex)
        {
            throw new InvalidSettingException(file + " cannot be read: " + ex);
        }
    }

    /**
     * Go on with a sweep that was begun before.
     *
     * @param path        of its folder.
     * @param description of the sweep.
     * @return the record.
     */
    public static SweepRecord resume(final Path path, final RunDescription description)
    {
        final SweepRecord sweep = new SweepRecord(ResultFolder.at(path), plan(path), description);
        final JsonNode document = document(path);
        document.path("runs").forEach((run) -> sweep.runs.add(new SweepRun(run)));
        sweep.maxRate = document.get("maxRate");
        return sweep;
    }

    /**
     * Plan of the sweep.
     *
     * @return the plan.
     */
    public SweepPlan plan()
    {
        return plan;
    }

    /**
     * Folder of the sweep.
     *
     * @return the folder.
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

    Optional<JsonNode> maxRate()
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
        return null == maxRate ? 0 : maxRate.path("ratePerSecond").asLong();
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
        maxRate = new ObjectMapper().createObjectNode().put("ratePerSecond", ratePerSecond).put("source", source)
            .put("folder", searchFolder);
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
     * Take a run that is done.
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
     *
     * @return the count.
     */
    public int doneCount()
    {
        return runs.size();
    }

    /**
     * Runs of the whole sweep.
     *
     * @return the count.
     */
    public int runCount()
    {
        return cells.size() * plan.repeats();
    }

    /**
     * The sweep, or this part of it, is over.
     */
    public void end()
    {
        isEnded = true;
        store();
        folder.write(TEXT_FILE_NAME, SweepText.text(this));
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
     * The sweep in a word.
     *
     * @return GOOD when all cells are, FAILED when one is not, PARTIAL while some are not done.
     */
    public String verdict()
    {
        return runs.stream().anyMatch((run) -> !run.isGood()) ? "FAILED" : isWhole() ? "GOOD" : "PARTIAL";
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
        folder.write(FILE_NAME, SweepJson.json(this));
        if (isEnded || runs.size() > 0)
        {
            folder.write("cells.csv", SweepCsv.cells(this));
            folder.write("runs.csv", SweepCsv.runs(this));
        }
    }

    static Map<String, String> values(final Cell cell)
    {
        final Map<String, String> values = new TreeMap<>();
        cell.values().forEach((dimension, value) -> values.put(dimension.key(), value));
        return values;
    }
}
