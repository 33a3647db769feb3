package io.clusterecho.client.maxrate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.client.load.IntervalListener;
import io.clusterecho.client.report.ReportPage;
import io.clusterecho.client.results.LiveView;
import io.clusterecho.client.results.ResultFolder;
import io.clusterecho.client.results.RunDescription;
import io.clusterecho.client.results.Terminal;
import io.clusterecho.client.results.Threshold;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.series.MeasuredRun;
import io.clusterecho.client.series.RunSeries;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.settings.InvalidSettingException;

/**
 * Searches the highest rate with measured runs, and keeps all of them in one folder, which holds what is known so far at any
 * time. One thread.
 */
public final class RateFinder
{
    /** Of a search that is given no label. */
    public static final String LABEL = "max-rate";
    /** What a person reads. */
    public static final String TEXT_FILE = "max-rate.txt";

    private static final long RECONNECT_PAUSE_NS = 2_000_000_000L;
    private static final String STEPS = "steps";

    private final ObjectMapper mapper = new ObjectMapper();
    private final List<Step> steps = new ArrayList<>();
    private final RunSeries series;
    private final RunConfig given;
    private final RunConfig config;
    private final Terms terms;
    private final Consumer<String> progress;
    private final String label;
    private final Instant start;
    private final ResultFolder folder;
    private String problem = "";
    private RunDescription description;

    /**
     * How a rate is tried.
     *
     * @param plan               of the search.
     * @param conditions         that must hold.
     * @param durationNs         of the measured window of each trial.
     * @param confirmDurationNs  the same of a trial that confirms.
     * @param laterWarmUpNs      warm-up of all trials but the first.
     * @param pauseNs            between two trials, for the system to calm down.
     */
    public record Terms(
        SearchPlan plan,
        List<Threshold> conditions,
        long durationNs,
        long confirmDurationNs,
        long laterWarmUpNs,
        long pauseNs)
    {
    }

    /**
     * Makes the folder of a search that has not begun.
     *
     * @param series   in which to measure.
     * @param given    configuration of the first trial, but for its rate.
     * @param terms    of the trials.
     * @param label    of the search.
     * @param progress told of each trial, or null for none.
     * @throws InvalidSettingException if a trial at the highest rate could not be accounted for.
     */
    public RateFinder(
        final RunSeries series,
        final RunConfig given,
        final Terms terms,
        final String label,
        final Consumer<String> progress)
    {
        this.series = series;
        this.terms = terms;
        this.given = given.withThresholds(terms.conditions()).withResult(label, given.output());
        this.label = label;
        this.progress = progress;
        start = Instant.now();
        check();
        folder = ResultFolder.create(given.output(), label, start);
        config = this.given.withResult(label, folder.path().resolve(STEPS));
    }

    public Path folder()
    {
        return folder.path();
    }

    /**
     * Search. At its end the folder holds all of it.
     *
     * @return what was found, also if it was ended early.
     * @throws NotConnectedException if not even the first trial found the cluster.
     */
    public MaxRate find()
    {
        describe();
        final MaxRate found = found(RateSearch.execute(terms.plan(), this::measure));
        store(found);
        folder.write(TEXT_FILE, MaxRateText.text(found, folder.path().toString()));
        if (!steps.isEmpty())
        {
            ReportPage.write(folder.path().resolve(ReportPage.FILE_NAME), List.of(folder.path()));
        }
        return found;
    }

    private RateSearch.Outcome measure(final long ratePerSecond, final RateSearch.Purpose purpose, final int attempt)
    {
        if (!steps.isEmpty())
        {
            series.endRequest().pause(terms.pauseNs());
        }
        if (series.isInterrupted())
        {
            return RateSearch.Outcome.ENDED;
        }

        final long warmUpNs = config.load().warmUpNs();
        final RunConfig trial = config.withRate(ratePerSecond)
            .withWarmUp(steps.isEmpty() ? warmUpNs : Math.min(warmUpNs, terms.laterWarmUpNs()))
            .withResult(ratePerSecond + "-per-s", config.output());
        final MeasuredRun run;
        try
        {
            run = connected(trial, RateSearch.Purpose.CONFIRM == purpose ? terms.confirmDurationNs() : terms.durationNs());
        }
        catch (final NotConnectedException ex)
        {
            if (steps.isEmpty() && !series.isInterrupted())
            {
                throw ex;
            }
            problem = series.isInterrupted() ? "" : "the search ended early: " + ex.getMessage();
            return RateSearch.Outcome.ENDED;
        }
        if (run.verdict().isPartial())
        {
            // It stays in its folder, but says nothing about the rate.
            return RateSearch.Outcome.ENDED;
        }

        if (!run.losses().isEmpty())
        {
            problem = "the search ended early: " + run.losses().get(0);
            return RateSearch.Outcome.ENDED;
        }

        final boolean isHeld = run.verdict().isGood();
        final Step step = new Step(
            steps.size() + 1, purpose, attempt, isHeld,
            terms.conditions().stream().map((one) -> one.value(run.measurement(), ratePerSecond)).toList(),
            manifest(run), folder.path().relativize(run.folder().path()).toString());
        steps.add(step);
        if (null != progress)
        {
            progress.accept(MaxRateText.line(step));
        }
        store(found(SearchAnswer.soFar(steps)));
        return isHeld ? RateSearch.Outcome.HELD : RateSearch.Outcome.BROKEN;
    }

    private MeasuredRun connected(final RunConfig trial, final long durationNs)
    {
        try
        {
            return run(trial, durationNs);
        }
        catch (final NotConnectedException ex)
        {
            if (steps.isEmpty() || series.isInterrupted())
            {
                throw ex;
            }
            // What was too much for the cluster may have cost it its leader.
            series.endRequest().pause(RECONNECT_PAUSE_NS);
            return run(trial, durationNs);
        }
    }

    private MeasuredRun run(final RunConfig trial, final long durationNs)
    {
        final Instant now = Instant.now();
        final List<IntervalListener> watchers =
            null != progress && Terminal.isRedrawable() ? List.of(new LiveView(System.err, true)) : List.of();
        return series.measure(
            trial, durationNs, ResultFolder.create(trial.output(), trial.label(), now), now, false, watchers);
    }

    private void describe()
    {
        final Target target = new Target(config);
        target.checkLength();
        description = new RunDescription(
            label, start, given.commandLine(), given.options(), target.settings(), target.durability(),
            target.placementWords(), 0);
    }

    private void check()
    {
        final long shortestNs = Math.min(terms.durationNs(), terms.confirmDurationNs());
        given.withRate(terms.plan().highestRate()).load()
            .checkMemory(Math.max(terms.durationNs(), terms.confirmDurationNs()));
        if (given.load().count(shortestNs) < 1)
        {
            throw new InvalidSettingException(
                "--duration", terms.durationNs() + "ns", "long enough for at least one message at --rate " +
                given.load().ratePerSecond());
        }
    }

    private MaxRate found(final SearchAnswer answer)
    {
        return new MaxRate(description, terms.plan(), terms.conditions(), List.copyOf(steps), answer, problem);
    }

    private void store(final MaxRate found)
    {
        folder.write(MaxRateJson.FILE_NAME, MaxRateJson.json(found, folder.path().toString()));
        folder.write("knee.csv", MaxRateJson.csv(found));
    }

    private JsonNode manifest(final MeasuredRun run)
    {
        try
        {
            return mapper.readTree(run.stored().json());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("a manifest must be readable", ex);
        }
    }
}
