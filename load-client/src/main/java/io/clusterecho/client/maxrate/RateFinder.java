package io.clusterecho.client.maxrate;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

import io.clusterecho.client.run.DeclaredOption.LoadOption;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.series.RunSeries;
import io.clusterecho.client.series.StoredRun;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.reporting.evidence.Disk;
import io.clusterecho.reporting.report.DocumentedResult;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.settings.InvalidSettingException;

/** Searches the highest rate with measured runs and keeps them in one folder, which is up to date at any time. One thread. */
public final class RateFinder
{
    /** Label of a search without one. */
    public static final String LABEL = "max-rate";

    private static final long RECONNECT_PAUSE_NS = 2_000_000_000L;
    private static final String STEPS = "steps";

    private final List<Step> steps = new ArrayList<>();
    private final RunSeries runs;
    private final RunConfig config;
    private final Terms terms;
    private final Consumer<String> progress;
    private final ResultFolder folder;
    private final RunDescription description;
    private String problem = "";
    private List<String> unwritten = List.of();
    private boolean isDisconnected;

    /** Result of a search. Text and JSON exist even if they could not be written. */
    public record Found(MaxRate search, String json, String text, int exitStatus, List<String> unwritten)
    {
    }

    /** How rates are tried. */
    public record Terms(
        @LoadOption(names = "--slo", label = "CONDITIONS", byDefault = "p99<1ms", kind = LoadOption.Kind.CONDITIONS,
            text = "Conditions that must all hold, with the metrics of --assert, such as 'p99<1ms,p99.9<5ms'. " +
            "Implied: the rate is achieved and nothing is lost. Default: ${DEFAULT-VALUE}.")
        List<Threshold> conditions,
        SearchPlan plan,
        @LoadOption(names = { "--duration", "-d" }, label = "TIME", byDefault = "10s", kind = LoadOption.Kind.TIME,
            text = "Length of the measured window of each trial. Default: ${DEFAULT-VALUE}.")
        long durationNs,
        @LoadOption(names = "--later-warm-up", label = "TIME", byDefault = "2s", kind = LoadOption.Kind.TIME,
            text = "Warm-up of all trials but the first. Default: ${DEFAULT-VALUE}.")
        long laterWarmUpNs,
        @LoadOption(names = "--pause", label = "TIME", byDefault = "1s", kind = LoadOption.Kind.TIME,
            text = "Pause between trials. Default: ${DEFAULT-VALUE}.")
        long pauseNs)
    {
    }

    /**
     * Creates the folder of a search that has not started.
     *
     * @param given    configuration of the first trial, except its rate.
     * @param progress receives each trial, or null.
     * @throws InvalidSettingException if the accounts of a trial at the highest rate would not fit in memory.
     */
    public RateFinder(
        final RunSeries runs, final RunConfig given, final Terms terms, final String label, final Consumer<String> progress)
    {
        this(runs, given, terms, label, progress, Disk.FILE_SYSTEM);
    }

    /** A search whose results are written to a disk that the caller chose. */
    public RateFinder(
        final RunSeries runs,
        final RunConfig given,
        final Terms terms,
        final String label,
        final Consumer<String> progress,
        final Disk disk)
    {
        this.runs = runs;
        this.terms = terms;
        this.progress = progress;
        final Instant start = Instant.now();
        final RunConfig first = given.with(RunConfig.ASSERT, terms.conditions()).withResult(label, given.output());
        first.withRate(terms.plan().highestRate()).load().checkMemory(terms.durationNs());
        InvalidSettingException.throwIf(
            first.load().count(terms.durationNs()) < 1, "--duration", terms.durationNs() + "ns",
            "long enough for at least one message at --rate " + first.load().ratePerSecond());
        final Target target = new Target(first);
        target.checkLength();
        description = new RunDescription(
            label, start, first.commandLine(), first.options(), target.settings(), target.durability(),
            target.placementWords(), 0);
        folder = ResultFolder.create(first.output(), label, start, disk);
        config = first.withResult(label, folder.path().resolve(STEPS));
    }

    public Path folder()
    {
        return folder.path();
    }

    /**
     * Search. At the end the folder contains the complete result, as far as it could be written.
     *
     * @throws NotConnectedException   if the first trial could not reach the cluster; the folder is deleted.
     * @throws InvalidSettingException if the first trial could not be made; the folder is deleted.
     * @throws UncheckedIOException    if the files of the first trial could not be written; the folder is deleted.
     */
    public Found find()
    {
        final SearchAnswer answer;
        try
        {
            answer = RateSearch.execute(terms.plan(), this::measure);
        }
        catch (final NotConnectedException | InvalidSettingException | UncheckedIOException ex)
        {
            folder.discard();
            throw ex;
        }

        final MaxRate search = search(answer);
        final DocumentedResult.Ended ended = search.result(!steps.isEmpty()).write(folder, true);
        return new Found(
            search, ended.json(), ended.text(),
            isDisconnected && !ended.verdict().isPartial() ? ExitCode.NOT_CONNECTED : ended.verdict().exitStatus(),
            ended.unwritten());
    }

    private RateSearch.Outcome measure(final long ratePerSecond, final RateSearch.Purpose purpose)
    {
        if (!steps.isEmpty())
        {
            if (!unwritten.isEmpty())
            {
                return ended(ratePerSecond, unwritten.get(0));
            }
            runs.pause(terms.pauseNs());
        }
        if (runs.endRequest().isRequested())
        {
            return RateSearch.Outcome.ENDED;
        }

        final long warmUpNs = config.load().warmUpNs();
        final RunConfig atRate =
            config.withRate(ratePerSecond).withResult(ratePerSecond + "-per-s", config.output());
        // Only the first may end its warm-up by itself.
        final RunConfig trial =
            steps.isEmpty() ? atRate : atRate.withWarmUp(Math.min(warmUpNs, terms.laterWarmUpNs()));
        final StoredRun run;
        try
        {
            run = connected(trial);
        }
        catch (final NotConnectedException | InvalidSettingException | UncheckedIOException ex)
        {
            if (runs.endRequest().isRequested())
            {
                return RateSearch.Outcome.ENDED;
            }
            if (steps.isEmpty())
            {
                throw ex;
            }
            isDisconnected = ex instanceof NotConnectedException;
            return ended(ratePerSecond, ex.getMessage());
        }
        if (run.verdict().isPartial())
        {
            // The run stays in its folder but does not count for the rate.
            return runs.endRequest().isRequested() ? RateSearch.Outcome.ENDED :
                ended(ratePerSecond, run.verdict().allReasons().get(0));
        }
        final List<String> failures = new ArrayList<>(run.evidence().problems());
        failures.addAll(run.problems());
        if (!failures.isEmpty())
        {
            return ended(ratePerSecond, failures.get(0));
        }

        final boolean isPassed = run.verdict().isGood();
        final Step step = new Step(
            steps.size() + 1, purpose, isPassed,
            terms.conditions().stream().map((one) -> one.value(run.evidence().measurement(), ratePerSecond)).toList(),
            run.document(), folder.path().relativize(run.folder().path()).toString());
        steps.add(step);
        unwritten = search(
            SearchAnswer.of(SearchAnswer.Status.ENDED, steps.stream().map(Step::trial).toList(), terms.plan()))
            .result(false).write(folder, false).unwritten();
        if (null != progress)
        {
            progress.accept(step.line());
        }
        return isPassed ? RateSearch.Outcome.PASSED : RateSearch.Outcome.FAILED;
    }

    private StoredRun connected(final RunConfig trial)
    {
        try
        {
            return runs.measure(trial, terms.durationNs(), folder.disk(), null != progress);
        }
        catch (final NotConnectedException ex)
        {
            if (steps.isEmpty() || runs.endRequest().isRequested())
            {
                throw ex;
            }
            // A rate too high for the cluster may have cost it its leader.
            runs.pause(RECONNECT_PAUSE_NS);
            return runs.measure(trial, terms.durationNs(), folder.disk(), null != progress);
        }
    }

    private RateSearch.Outcome ended(final long ratePerSecond, final String reason)
    {
        problem = String.format(Locale.ROOT, "the search ended early, at %,d/s: %s", ratePerSecond, reason);
        return RateSearch.Outcome.ENDED;
    }

    private MaxRate search(final SearchAnswer answer)
    {
        return new MaxRate(description, terms.plan(), terms.conditions(), List.copyOf(steps), answer, problem);
    }
}
