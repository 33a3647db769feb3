package io.clusterecho.client.sweep;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.clusterecho.client.maxrate.RateFinder;
import io.clusterecho.client.maxrate.SearchAnswer;
import io.clusterecho.client.maxrate.SearchPlan;
import io.clusterecho.client.run.ChurnConfig;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.series.MeasuredRun;
import io.clusterecho.client.series.Runs;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.media.driver.DriverKeys;
import io.clusterecho.media.driver.DriverKind;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.reporting.results.LiveView;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.Terminal;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.Settings;

/**
 * Makes the remaining runs of a sweep on its own clusters. One thread.
 */
public final class SweepExecution
{
    private static final long LOWEST_RATE = 100;
    private static final long HIGHEST_RATE = 10_000_000;
    private static final double RATE_RESOLUTION = 0.1;
    private static final int RATE_CONFIRMATIONS = 2;
    private static final long RATE_PAUSE_NS = 1_000_000_000L;
    private static final String HOST = "127.0.0.1";
    private static final String RUNS = "runs";

    private final SweepProgress timing = new SweepProgress();
    private final SweepRecord record;
    private final SweepPlan plan;
    private final Runs runs;
    private final FaultRuns faults;
    private final Function<Settings, SweepCluster> clusters;
    private final RunConfig config;
    private final Path clusterDir;
    private final Consumer<String> progress;
    private long clusterStartNs;

    /**
     * An execution that has not started.
     *
     * @param record     of the sweep.
     * @param runs       takes the measurements.
     * @param faults     takes those with a fault.
     * @param given      configuration of what no cell sets.
     * @param clusterDir locked, so that nobody else starts clusters in it.
     * @param progress   receives progress messages, or null.
     */
    public SweepExecution(
        final SweepRecord record,
        final Runs runs,
        final FaultRuns faults,
        final RunConfig given,
        final Path clusterDir,
        final Consumer<String> progress)
    {
        this(record, runs, faults, SweepCluster.ofProcesses(given.target().inventory()), given, clusterDir, progress);
    }

    SweepExecution(
        final SweepRecord record,
        final Runs runs,
        final FaultRuns faults,
        final Function<Settings, SweepCluster> clusters,
        final RunConfig given,
        final Path clusterDir,
        final Consumer<String> progress)
    {
        this.record = record;
        plan = record.plan();
        this.runs = runs;
        this.faults = faults;
        this.clusters = clusters;
        config = given.withClusterDir(clusterDir);
        this.clusterDir = clusterDir;
        this.progress = progress;
    }

    /**
     * Run until all runs are done, a signal comes, or the record is stopped.
     */
    public void execute()
    {
        if (plan.hasShares() && 0 == record.maxRatePerSecond() && !isOver())
        {
            findMaxRate();
        }
        final Map<Map<Dimension, String>, List<Cell>> groups = plan.groups();
        for (int repeat = 1; repeat <= plan.repeats(); repeat++)
        {
            for (final Map.Entry<Map<Dimension, String>, List<Cell>> group : groups.entrySet())
            {
                final int present = repeat;
                final List<Cell> open = group.getValue().stream().filter((cell) -> !record.isDone(cell, present)).toList();
                if (!open.isEmpty() && !isOver())
                {
                    measure(repeat, group.getKey(), open);
                }
            }
        }
    }

    private boolean isOver()
    {
        return runs.isInterrupted() || record.isStopped();
    }

    private void measure(final int repeat, final Map<Dimension, String> values, final List<Cell> cells)
    {
        SweepCluster cluster = null;
        boolean isFresh = true;
        int next = 0;
        try
        {
            while (next < cells.size() && !isOver())
            {
                if (null == cluster)
                {
                    cluster = started(values);
                    isFresh = true;
                }
                final SweepRun run = measure(cells.get(next), repeat, isFresh);
                next++;
                isFresh = isFresh && (null == run || !run.isMeasured());
                if ((null == run || !run.isGood()) && !cluster.isWhole())
                {
                    // Its cluster may be damaged: do not measure the next cell on it.
                    retire(cluster);
                    cluster = null;
                }
            }
        }
        catch (final ControlFailure | InvalidSettingException ex)
        {
            for (final Cell cell : isOver() ? List.<Cell>of() : cells.subList(next, cells.size()))
            {
                add(SweepRun.failed(cell, repeat, "the cluster could not be started: " + ex.getMessage()), cell);
            }
        }
        finally
        {
            if (null != cluster)
            {
                retire(cluster);
            }
        }
    }

    /**
     * @return what was recorded, or null if a signal came or the sweep was stopped before anything was recorded.
     */
    private SweepRun measure(final Cell cell, final int repeat, final boolean isFresh)
    {
        final long beginNs = System.nanoTime();
        final SweepRun done;
        try
        {
            final RunConfig run = config(cell, isFresh).withRate(record.ratePerSecond(cell)).withResult(
                "cell-" + cell.number() + "-repeat-" + repeat, record.folder().path().resolve(RUNS));
            run.load().checkMemory(plan.durationNs());
            new Target(run).checkLength();
            if (cell.isFault())
            {
                done = measureFault(run, cell, repeat);
                if (null == done)
                {
                    return null;
                }
                timing.onRun(System.nanoTime() - beginNs, warmUpNs(isFresh) + plan.durationNs());
                return add(done, cell);
            }
            final Instant now = Instant.now();
            final MeasuredRun measured = runs.measure(
                run, plan.durationNs(), folder(run, now), now, false,
                null != progress && Terminal.isRedrawable() ? List.of(LiveView.onStderr()) : List.of());
            if (!measured.stored().problems().isEmpty())
            {
                record.stop(measured.stored().problems().get(0), false);
            }
            if (measured.verdict().isPartial() || record.isStopped())
            {
                // The run stays in its folder but is repeated.
                return null;
            }
            done = SweepRun.measured(
                cell, repeat, measured.stored().document(),
                record.folder().path().relativize(measured.folder().path()).toString());
        }
        catch (final ControlFailure | InvalidSettingException | NotConnectedException | IllegalStateException ex)
        {
            return runs.isInterrupted() ? null : add(SweepRun.failed(cell, repeat, ex.getMessage()), cell);
        }
        catch (final UncheckedIOException ex)
        {
            record.stop(ex.getMessage(), false);
            return null;
        }

        timing.onRun(System.nanoTime() - beginNs, warmUpNs(isFresh) + plan.durationNs());
        return add(done, cell);
    }

    /**
     * @return null if a signal came or the sweep was stopped, after which the run is repeated.
     */
    private SweepRun measureFault(final RunConfig run, final Cell cell, final int repeat)
    {
        final FaultRuns.Hit hit = faults.measure(run, cell);
        if (!hit.run().problems().isEmpty())
        {
            record.stop(hit.run().problems().get(0), false);
        }
        if (hit.run().verdict().isPartial() || record.isStopped())
        {
            return null;
        }
        final SweepRun load = SweepRun.measured(
            cell, repeat, hit.run().document(), record.folder().path().relativize(hit.folder()).toString());
        return hit.faults().cycles().isEmpty() ? load : load.with(hit.faults().cycles().get(0));
    }

    /**
     * @throws UncheckedIOException if it cannot be created, which is not the cell's fault.
     */
    private ResultFolder folder(final RunConfig run, final Instant now)
    {
        try
        {
            return ResultFolder.create(run.output(), run.label(), now, record.folder().disk());
        }
        catch (final InvalidSettingException ex)
        {
            throw new UncheckedIOException(ex.getMessage(), new IOException(ex));
        }
    }

    private SweepRun add(final SweepRun run, final Cell cell)
    {
        record.add(run);
        final List<String> reasons = run.reasons();
        say(String.format(
            Locale.ROOT, "[%d/%d] repeat %d  %s  %s  %s%s; %s", record.doneCount(), record.runCount(),
            run.repeat(), record.name(cell), run.verdict().label(),
            run.isMeasured() ? "p50 " + Quantity.formatNs(run.responseTimeNs().at(Percentile.P50)) + "  p99 " +
                Quantity.formatNs(run.responseTimeNs().at(Percentile.P99)) : "not measured",
            reasons.isEmpty() ? "" : "  ! " + reasons.get(0).lines().findFirst().orElse(""), left()));
        return run;
    }

    private String left()
    {
        int openCount = 0;
        int starts = 0;
        for (int repeat = 1; repeat <= plan.repeats(); repeat++)
        {
            for (final List<Cell> cells : plan.groups().values())
            {
                final int present = repeat;
                final long open = cells.stream().filter((cell) -> !record.isDone(cell, present)).count();
                openCount += (int)open;
                // A group with some runs done already has its cluster.
                starts += open == cells.size() ? 1 : 0;
            }
        }

        return 0 == openCount ? "all done" : timing.left(
            starts, openCount, openCount * (plan.warmUpNs() + plan.durationNs()) + starts * plan.clusterWarmUpNs());
    }

    private void findMaxRate()
    {
        final Cell reference = plan.referenceCell();
        SweepCluster cluster = null;
        try
        {
            cluster = started(reference.cluster());
            say("searching the highest rate that meets " + Threshold.join(plan.conditions()));
            final RateFinder finder = new RateFinder(
                runs, config(reference, true).withResult(config.label(), record.folder().path()),
                new RateFinder.Terms(
                    new SearchPlan(
                        config.load().ratePerSecond(), LOWEST_RATE, HIGHEST_RATE, RATE_RESOLUTION, 1, RATE_CONFIRMATIONS),
                    plan.conditions(), plan.durationNs(), plan.durationNs(), plan.warmUpNs(), RATE_PAUSE_NS),
                RateFinder.LABEL, progress);
            take(finder.find(), finder.folder(), reference);
        }
        catch (final ControlFailure | NotConnectedException ex)
        {
            if (!runs.isInterrupted())
            {
                record.stop("the highest rate could not be searched: " + ex.getMessage(), true);
            }
        }
        finally
        {
            if (null != cluster)
            {
                retire(cluster);
            }
        }
    }

    private void take(final RateFinder.Found found, final Path folder, final Cell reference)
    {
        final SearchAnswer answer = found.search().answer();
        final String conditions = Threshold.join(plan.conditions());
        if (SearchAnswer.Status.CONFIRMED == answer.status())
        {
            record.maxRate(
                answer.ratePerSecond(), conditions + " up to this rate with " + reference.name(
                    plan.varied().stream().filter((dimension) -> Dimension.RATE != dimension).toList()),
                record.folder().path().relativize(folder).toString());
        }
        else if (!runs.isInterrupted())
        {
            record.stop(
                "no rate was found that meets " + conditions + ", so shares of the highest rate are undefined: give " +
                "--max-rate, or another slo in the file (" +
                String.join("; ", found.search().verdict(List.of()).allReasons()) + ")",
                ExitCode.NOT_CONNECTED == found.exitStatus());
        }
    }

    /**
     * Configuration of a cell, except its rate. The client uses the same driver as the members.
     */
    private RunConfig config(final Cell cell, final boolean isFresh)
    {
        final String snapshotEvery = cell.value(Dimension.SNAPSHOT_EVERY);
        return config.withLength(Long.parseLong(cell.value(Dimension.SIZE))).withWarmUp(warmUpNs(isFresh)).withDriver(
            cell.value(Dimension.DRIVER), cell.value(Dimension.RECEIVE_VECTOR), cell.value(Dimension.SEND_VECTOR),
            cell.value(Dimension.MESSAGES_PER_SEND))
            .withSnapshots(Dimension.NONE.equals(snapshotEvery) ? 0 : Quantity.parseDurationNs(snapshotEvery))
            .withChurn(new ChurnConfig(Long.parseLong(cell.value(Dimension.CHURN)), 0, 1, 0));
    }

    private SweepCluster started(final Map<Dimension, String> values)
    {
        final SweepCluster cluster = clusters.apply(settings(values));
        say("starting a cluster with " + values.entrySet().stream()
            .map((entry) -> entry.getKey().key() + "=" + entry.getValue()).collect(Collectors.joining(" ")));
        final long beginNs = System.nanoTime();
        try
        {
            runs.waitFor(cluster::start);
        }
        catch (final RuntimeException ex)
        {
            retire(cluster);
            throw ex;
        }
        clusterStartNs = System.nanoTime() - beginNs;
        return cluster;
    }

    /**
     * Stop a cluster. If that fails, starting the next one reports it again.
     */
    private void retire(final SweepCluster cluster)
    {
        final long beginNs = System.nanoTime();
        try
        {
            cluster.retire();
        }
        catch (final ControlFailure | IllegalStateException | UncheckedIOException ex)
        {
            say("the cluster could not be stopped: " + ex.getMessage());
        }
        if (clusterStartNs > 0)
        {
            timing.onStart(clusterStartNs + System.nanoTime() - beginNs);
            clusterStartNs = 0;
        }
    }

    private Settings settings(final Map<Dimension, String> values)
    {
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL);
        plan.settings().forEach((key, value) -> settings.put(key, value, "sweep"));
        final int memberCount = Integer.parseInt(values.get(Dimension.MEMBERS));
        if (null == config.target().inventory())
        {
            settings.put(NodeSettings.HOSTS.key(), String.join(",", Collections.nCopies(memberCount, HOST)), "sweep");
        }
        else
        {
            config.target().inventory().putHosts(settings, memberCount);
        }
        putDriver(settings, values);
        settings.put(NodeSettings.PROFILE.key(), values.get(Dimension.PROFILE), "sweep");
        settings.put(NodeSettings.PLACEMENT.key(), values.get(Dimension.PLACEMENT), "sweep");
        settings.put(NodeSettings.FSYNC.key(), values.get(Dimension.FSYNC), "sweep");
        settings.put(NodeSettings.MTU.key(), values.get(Dimension.MTU), "sweep");
        settings.put(NodeSettings.STATE_LENGTH.key(), values.get(Dimension.STATE_LENGTH), "sweep");
        settings.put(NodeSettings.BACKUP.key(), String.valueOf("yes".equals(values.get(Dimension.BACKUP))), "sweep");
        settings.put(NodeSettings.LOG_TERM_LENGTH.key(), values.get(Dimension.TERM_LENGTH), "sweep");
        settings.put(Dimension.IMAGE_LIVENESS_KEY, values.get(Dimension.IMAGE_LIVENESS), "sweep");
        settings.put(NodeSettings.BASE_DIR.key(), clusterDir.toString(), "--cluster-dir");
        return settings;
    }

    private static void putDriver(final Settings settings, final Map<Dimension, String> values)
    {
        final DriverKeys keys = NodeSettings.DRIVER;
        settings.put(keys.kind().key(), values.get(Dimension.DRIVER), "sweep");
        if (!DriverKind.JAVA.text().equals(values.get(Dimension.DRIVER)))
        {
            settings.put(keys.receiveVector().key(), values.get(Dimension.RECEIVE_VECTOR), "sweep");
            settings.put(keys.sendVector().key(), values.get(Dimension.SEND_VECTOR), "sweep");
            settings.put(keys.messagesPerSend().key(), values.get(Dimension.MESSAGES_PER_SEND), "sweep");
        }
    }

    private long warmUpNs(final boolean isFresh)
    {
        return plan.warmUpNs() + (isFresh ? plan.clusterWarmUpNs() : 0);
    }

    private void say(final String line)
    {
        if (null != progress)
        {
            progress.accept(line);
        }
    }
}
