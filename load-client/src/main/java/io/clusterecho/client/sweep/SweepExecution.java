package io.clusterecho.client.sweep;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.clusterecho.client.maxrate.RateFinder;
import io.clusterecho.client.maxrate.SearchPlan;
import io.clusterecho.client.run.DriverConfig;
import io.clusterecho.client.run.LoadConfig;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.run.TransportNames;
import io.clusterecho.client.schedule.Messages;
import io.clusterecho.client.series.RunSeries;
import io.clusterecho.client.series.StoredRun;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.TransportKind;
import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.IoUtil;

/** Makes the remaining runs of a sweep on clusters, and servers of other systems, that it starts. One thread. */
public class SweepExecution
{
    private static final long LOWEST_RATE = 100;
    private static final long HIGHEST_RATE = 10_000_000;
    private static final double RATE_RESOLUTION = 0.1;
    private static final double RATE_PASS = 0.75;
    private static final long RATE_PAUSE_NS = 1_000_000_000L;
    private static final String RUNS = "runs";
    /** Setting of a folder that cannot be written. */
    private static final String OUTPUT = "--output";

    /** A completed run and, if a fault hit a follower, that cycle of a failover test; null if it did not begin. */
    public record FaultRun(StoredRun run, Cycle cycle)
    {    }

    private final SweepRecord record;
    private final SweepPlan plan;
    private final RunSeries runs;
    private final BiFunction<RunConfig, Cell, FaultRun> faults;
    private final RunConfig config;
    private final Path clusterDir;
    private final Consumer<String> progress;

    /**
     * An execution that has not started.
     *
     * @param faults     measures a run with a fault, which may throw {@link NotConnectedException}.
     * @param given      configuration of what no cell sets.
     * @param clusterDir locked, so that nobody else starts clusters or servers in it.
     * @param progress   receives progress messages, or null.
     */
    public SweepExecution(
        final SweepRecord record,
        final RunSeries runs,
        final BiFunction<RunConfig, Cell, FaultRun> faults,
        final RunConfig given,
        final Path clusterDir,
        final Consumer<String> progress)
    {
        this.record = record;
        plan = record.plan();
        this.runs = runs;
        this.faults = faults;
        config = given;
        this.clusterDir = clusterDir;
        this.progress = progress;
    }

    /** A system that has not started, by the values of the dimensions that configure it. */
    SweepSystem newSystem(final Map<Dimension, String> values)
    {
        final Inventory inventory = config.target().inventory();
        return TransportNames.isCluster(values.get(Dimension.TRANSPORT)) ?
            new ClusterSystem(plan, values, inventory, clusterDir) : new PeerSystem(plan, values, inventory, clusterDir);
    }

    /** Check the settings of all members that a sweep would start, on the hosts of an inventory or, if it is null, here. */
    public static void check(final SweepPlan plan, final Inventory inventory, final Path clusterDir)
    {
        plan.require(
            Dimension.LOAD, (load) -> null == inventory || plan.cells().stream().allMatch(Cell::isAtARate),
            "rate with --inventory: other loads are sent from this machine");
        for (final Map<Dimension, String> values : plan.groups().keySet())
        {
            if (TransportNames.isCluster(values.get(Dimension.TRANSPORT)))
            {
                try
                {
                    // No launcher is needed because nothing is started.
                    Cluster.of(ClusterSystem.settings(plan, values, inventory, clusterDir), null, inventory);
                }
                catch (final InvalidSettingException ex)
                {
                    throw new InvalidSettingException("the sweep has " + text(values) + ": " + ex.getMessage());
                }
            }
        }
    }

    /** Run until all runs are done, a signal comes, or the record is stopped. */
    public void execute()
    {
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
        return runs.endRequest().isRequested() || record.isStopped();
    }

    private void measure(final int repeat, final Map<Dimension, String> values, final List<Cell> cells)
    {
        SweepSystem system = null;
        boolean isFresh = true;
        int next = 0;
        try
        {
            while (next < cells.size() && !isOver())
            {
                if (null == system)
                {
                    system = started(values);
                    isFresh = true;
                }
                final SweepRun run = measure(system, cells.get(next), repeat, isFresh);
                next++;
                isFresh = isFresh && (null == run || !run.isMeasured());
                if (!isOver() && (null == run || !run.isGood()) && system.damage().isPresent())
                {
                    // It may be damaged: do not measure the next cell on it.
                    retire(system);
                    system = null;
                }
            }
        }
        catch (final ControlFailure | InvalidSettingException | NotConnectedException ex)
        {
            final String transport = values.get(Dimension.TRANSPORT);
            final String name = TransportNames.isCluster(transport) ? "the cluster" : transport;
            (isOver() ? List.<Cell>of() : cells.subList(next, cells.size())).forEach((cell) ->
                add(SweepRun.notStarted(cell, repeat, name, ex.getMessage()), cell));
        }
        finally
        {
            if (null != system)
            {
                retire(system);
            }
        }
    }

    /** @return what was recorded, or null if a signal came or the sweep was stopped before anything was recorded. */
    private SweepRun measure(final SweepSystem system, final Cell cell, final int repeat, final boolean isFresh)
    {
        final SweepRun done;
        try
        {
            done = cell.isAtARate() ? measureAtARate(system, cell, repeat, isFresh) : measureLoad(system, cell, repeat, isFresh);
        }
        catch (final ControlFailure | InvalidSettingException | NotConnectedException | IllegalStateException ex)
        {
            if (ex instanceof InvalidSettingException && OUTPUT.equals(((InvalidSettingException)ex).key()))
            {
                // The disk failed, not the cell.
                record.stop(ex.getMessage());
                return null;
            }
            return runs.endRequest().isRequested() ? null : add(SweepRun.failed(cell, repeat, ex.getMessage()), cell);
        }
        catch (final UncheckedIOException ex)
        {
            record.stop(ex.getMessage());
            return null;
        }
        return null == done ? null : add(intact(done, system, cell), cell);
    }

    /**
     * A good run shows nothing of a system that ended in it, and how that broke explains the failure of a load that is not at a
     * rate. A test with a fault has its own verdict on the members.
     */
    private SweepRun intact(final SweepRun run, final SweepSystem system, final Cell cell)
    {
        return (run.isGood() ? cell.isFault() : cell.isAtARate()) || runs.endRequest().isRequested() ? run :
            system.damage().map((damage) -> SweepRun.failed(cell, run.repeat(), run.isGood() ? damage :
            damage + " (" + String.join("; ", run.reasons()) + ")")).orElse(run);
    }

    private SweepRun measureLoad(final SweepSystem system, final Cell cell, final int repeat, final boolean isFresh)
    {
        final Path folder = record.folder().path().resolve(RUNS).resolve(label(cell, repeat)).toAbsolutePath();
        // What an interrupted run left.
        IoUtil.delete(folder.toFile(), true);
        return new LoadProcess(plan, cell, config, plan.warmUp(cell, isFresh), system.target(), folder)
            .measure(repeat, runs, RUNS + "/" + label(cell, repeat));
    }

    private SweepRun measureAtARate(final SweepSystem system, final Cell cell, final int repeat, final boolean isFresh)
    {
        final Map<String, Object> values = new TreeMap<>(Map.of("churnTurnNs", 0L));
        if (!config.load().codec().isGiven())
        {
            values.put(LoadConfig.SIZE, InvalidSettingException.parsed(
                LoadConfig.SIZE, cell.value(Dimension.SIZE), null, Messages::parse));
        }
        if (TransportNames.isCluster(cell.value(Dimension.TRANSPORT)))
        {
            // Only the system knows whether its client's driver has vectors.
            List.of(DriverConfig.RECEIVE_VECTOR, DriverConfig.SEND_VECTOR, DriverConfig.MESSAGES_PER_SEND)
                .forEach((option) -> values.put(option, DriverConfig.DATAGRAMS));
        }
        final RunConfig ofCell = config.with(values).withWarmUp(plan.warmUp(cell, isFresh).longestNs()).with(cell.options());
        ofCell.checkBeside(plan.durationNs());
        final RunConfig given = ofCell.with(system.target())
            .withResult(label(cell, repeat), record.folder().path().resolve(RUNS));
        return cell.isSearch() ? measureHighest(given, cell, repeat) :
            measureRate(given.withRate(record.ratePerSecond(cell)), cell, repeat);
    }

    private static String label(final Cell cell, final int repeat)
    {
        return "cell-" + cell.number() + "-repeat-" + repeat;
    }

    /** @return null if a signal came or the sweep was stopped, after which the run is repeated. */
    private SweepRun measureRate(final RunConfig run, final Cell cell, final int repeat)
    {
        run.load().checkMemory(plan.durationNs());
        new Target(run).checkLength();
        final FaultRun faulted = cell.isFault() ? faults.apply(run, cell) : null;
        final StoredRun done = null != faulted ? faulted.run() :
            runs.measure(run, plan.durationNs(), record.folder().disk(), null != progress);
        if (!isKept(done.problems(), done.verdict().isPartial()))
        {
            return null;
        }
        final RunDocument document = done.document();
        final SweepRun measured = SweepRun.measured(
            cell, repeat, document, document.verdict(), relative(done.folder().path()));
        return null != faulted && null != faulted.cycle() ? measured.with(faulted.cycle()) :
            plan.published().isEmpty() ? measured : measured.ifSteady(document.steadyState());
    }

    /** Whether a run counts; else it stays in its folder and is repeated. */
    private boolean isKept(final List<String> problems, final boolean isPartial)
    {
        problems.stream().findFirst().ifPresent((problem) -> record.stop(problem));
        return !isPartial && !record.isStopped();
    }

    private String relative(final Path folder)
    {
        return record.folder().path().relativize(folder).toString();
    }

    /** @return null if a signal came or the sweep was stopped, after which the search is repeated. */
    private SweepRun measureHighest(final RunConfig run, final Cell cell, final int repeat)
    {
        final RateFinder finder = new RateFinder(
            runs, run,
            new RateFinder.Terms(
                plan.conditions(),
                new SearchPlan(config.load().ratePerSecond(), LOWEST_RATE, HIGHEST_RATE, RATE_RESOLUTION, RATE_PASS),
                plan.durationNs(), plan.warmUpNs(), RATE_PAUSE_NS),
            run.label(), progress, record.folder().disk());
        final RateFinder.Found found = finder.find();
        return isKept(found.unwritten(), runs.endRequest().isRequested()) ?
            SweepRun.searched(cell, repeat, found.search(), relative(finder.folder())) : null;
    }

    private SweepRun add(final SweepRun run, final Cell cell)
    {
        record.add(run);
        final List<String> reasons = run.reasons();
        say(String.format(
            Locale.ROOT, "[%d/%d] repeat %d  %s  %s  %s%s", record.doneCount(), record.runCount(),
            run.repeat(), record.name(cell), run.verdict().label(),
            !run.isMeasured() ? "not measured" : null == run.responseTimeNs() ?
                String.format(Locale.ROOT, "%,d/s", run.foundRatePerSecond()) :
                "p50 " + Percentile.text(run.responseTimeNs().at(Percentile.P50)) + "  p99 " +
                Percentile.text(run.responseTimeNs().at(Percentile.P99)),
            reasons.isEmpty() ? "" : "  ! " + reasons.get(0).lines().findFirst().orElse("")));
        return run;
    }

    private SweepSystem started(final Map<Dimension, String> values)
    {
        final SweepSystem system = newSystem(values);
        say("starting " + text(values));
        try
        {
            runs.endRequest().waitFor(system::start);
        }
        catch (final RuntimeException ex)
        {
            retire(system);
            throw ex;
        }
        return system;
    }

    /** Stop a system. If that fails, starting the next one reports it again. */
    private void retire(final SweepSystem system)
    {
        try
        {
            system.retire();
        }
        catch (final ControlFailure | IllegalStateException | UncheckedIOException ex)
        {
            say("it could not be stopped: " + ex.getMessage());
        }
    }

    /** The system with its values other than the defaults. */
    private static String text(final Map<Dimension, String> values)
    {
        final String transport = values.get(Dimension.TRANSPORT);
        final TransportKind kind = TransportNames.kind(transport);
        final String others = values.entrySet().stream()
            .filter((entry) -> null == kind ? Dimension.TRANSPORT != entry.getKey() : PeerSystem.has(kind, entry.getKey()))
            .filter((entry) -> !entry.getKey().isDefault(entry.getValue()))
            .map((entry) -> entry.getKey().key() + "=" + entry.getValue()).collect(Collectors.joining(" "));
        return (null == kind ? "a cluster" : transport) + (others.isEmpty() ? "" : " with " + others);
    }

    private void say(final String line)
    {
        if (null != progress)
        {
            progress.accept(line);
        }
    }
}
