package io.clusterecho.client.series;

import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.clusterecho.attribution.SchedulerTrace;
import io.clusterecho.client.churn.ChurnPlan;
import io.clusterecho.client.churn.SessionChurn;
import io.clusterecho.client.counters.CounterFiles;
import io.clusterecho.client.counters.CounterSampler;
import io.clusterecho.client.counters.CounterSource;
import io.clusterecho.client.load.LoadAgent;
import io.clusterecho.client.load.LoadExecution;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.load.LoadResult;
import io.clusterecho.client.run.EndRequest;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.run.TargetConfig;
import io.clusterecho.client.run.TransportNames;
import io.clusterecho.client.schedule.RateProfile;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.client.worker.DistributedRun;
import io.clusterecho.client.worker.WorkerPool;
import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.member.Endings;
import io.clusterecho.control.member.MemberHost;
import io.clusterecho.reporting.evidence.Disk;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.IntervalFiles;
import io.clusterecho.reporting.results.LiveView;
import io.clusterecho.reporting.results.ResultDocuments;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.RunEvidence;
import io.clusterecho.reporting.results.StageReport;
import io.clusterecho.reporting.results.VaryingRate;
import io.clusterecho.reporting.results.WarmUpEnd;
import io.clusterecho.reporting.results.WindowEnd;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.CloseHelper;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Measures runs one after the other, on the thread that began the series. The first Ctrl-C ends the current run, which is kept
 * and marked partial, or the current wait; it never disturbs the writing of a result.
 */
public class RunSeries implements AutoCloseable
{
    /** For a worker's messages and accounts, beside the time to open each session. */
    private static final long READY_TIMEOUT_NS = 60_000_000_000L;

    private final EndRequest endRequest;
    private final boolean isJournaled;
    private WorkerPool workerPool;

    /** @param isJournaled whether to keep a journal in the folder of each run of this process alone. */
    RunSeries(final EndRequest endRequest, final boolean isJournaled)
    {
        this.endRequest = endRequest;
        this.isJournaled = isJournaled;
    }

    /** Handle signals from now on, and keep a journal of each run of this process alone if so requested. */
    public static RunSeries begin(final boolean isJournaled)
    {
        return new RunSeries(EndRequest.onSignals(() -> { }), isJournaled);
    }

    public EndRequest endRequest()
    {
        return endRequest;
    }

    /** Pause; the user's request ends the pause early. */
    public void pause(final long timeNs)
    {
        endRequest.pause(timeNs);
    }

    /** Run as below, in a new folder on a disk, without a page; a redrawable terminal shows the run unless it must not. */
    public StoredRun measure(final RunConfig given, final long durationNs, final Disk disk, final boolean isShown)
    {
        final Instant now = Instant.now();
        return measure(
            given, durationNs, ResultFolder.create(given.output(), given.label(), now, disk), now, false,
            isShown && LiveView.isRedrawable() ? List.of(LiveView.onStderr()) : List.of());
    }

    /**
     * Run to the end, judge and store. If this throws, nothing was measured and the folder is deleted.
     *
     * @param isPaged    whether to write the report page, which is larger than all other files together.
     * @throws NotConnectedException   if no session could be opened in time, or a signal came before the load began.
     * @throws UncheckedIOException    if the files of the run cannot be created.
     */
    public StoredRun measure(
        final RunConfig given,
        final long durationNs,
        final ResultFolder folder,
        final Instant start,
        final boolean isPaged,
        final List<? extends IntervalListener> watchers)
    {
        final RunConfig config;
        final Target target;
        final List<MemberHost> hosts;
        final LoadPlan plan;
        final Optional<Integer> leaderCore;
        final Offered offered;
        try
        {
            config = given.sharedByInventory();
            target = new Target(config);
            hosts = target.memberHosts();
            // Before sessions are opened, because they would be idle while ssh connects.
            MemberHost.connect(hosts);
            plan = config.load().plan(durationNs);
            leaderCore = config.clients().areApart() ? Optional.empty() : target.leaderCore();
            final Job job = new Job(config, durationNs, target, hosts, plan, folder, start, watchers);
            offered = config.clients().areApart() ? together(job) : alone(job, leaderCore);
        }
        catch (final NotConnectedException | InvalidSettingException | UncheckedIOException ex)
        {
            folder.discard();
            throw ex;
        }
        finally
        {
            endRequest.ends(null);
        }

        final LoadResult load = offered.load();
        final LoadMeasurement measurement = load.measurement();
        final List<String> warnings = new ArrayList<>(target.endedMembers());
        if (measurement.outcome().lost() > 0)
        {
            // Not a problem of the run, which would end a search at a rate that is too high.
            warnings.addAll(Endings.errors(hosts.stream().flatMap((host) -> host.members().stream()).toList(), start));
        }
        warnings.addAll(HostEvidence.write(folder, hosts));
        warnings.addAll(warnings(target));
        warnings.addAll(load.warnings());
        offered.trace().warnings().forEach(warnings::add);
        Stream.of(
            null == offered.warmUp() ? null : offered.warmUp().warning(),
            null == offered.until() ? null : offered.until().warning())
            .filter(Objects::nonNull).forEach(warnings::add);
        warnings.addAll(StageReport.warnings(measurement));
        final RunDescription description = target.describe(
            start, leaderCore, Stream.concat(load.scheduling().stream(), offered.trace().cost()).toList(),
            load.clients().isEmpty() ? LoadAgent.ceilingPerSecond(plan.messages()) : load.ceilingPerSecond(),
            offered.warmUp(), offered.until(), target.memberStart());
        final RateProfile rate = config.load().rate();
        final long ratePerSecondAsked = rate.isConstant() ? plan.ratePerSecond() : plan.ratePerSecond(
            config.load().schedule(plan), measurement.outcome().of(Counter.SCHEDULED));
        final RunEvidence evidence = new RunEvidence(
            measurement, ratePerSecondAsked, config.thresholds(), offered.isPartial(), load.failures(), warnings,
            null, rate.isConstant() ? null : new VaryingRate(rate.toString(), rate.firstRatePerSecond(), rate.pulse(
            plan.warmUpNs(), plan.endNs(), measurement.outcome().of(Counter.WARM_UP_SKIPPED)), null));
        return StoredRun.write(
            folder, new ResultDocuments(folder), description, evidence, load.clients(), config.calibrations(), isPaged);
    }

    /** An unknown path is only a warning; the measurement remains valid. */
    private static List<String> warnings(final Target target)
    {
        try
        {
            return target.warnings();
        }
        catch (final RuntimeException ex)
        {
            return List.of("the network between this client and the members is unknown: " + ex);
        }
    }

    /** A load that ended, how its windows did, and the trace of its threads. */
    private record Offered(LoadResult load, boolean isPartial, WarmUpEnd warmUp, WindowEnd until, SchedulerTrace trace)
    {
    }

    /** A run to make, and what watches it. */
    private record Job(
        RunConfig config,
        long durationNs,
        Target target,
        List<MemberHost> hosts,
        LoadPlan plan,
        ResultFolder folder,
        Instant start,
        List<? extends IntervalListener> watchers)
    {
        /**
         * Make what writes evidence during the run and what happens beside its load.
         *
         * @param add receives each as soon as it is made, in the order in which they take an interval, and closes it.
         */
        void watch(final CounterSource source, final Consumer<IntervalListener> add)
        {
            final TargetConfig options = config.target();
            final long beginNs = config.load().warmUpNs();
            final long endNs = beginNs + durationNs;
            if (null != options.churnPerSecond())
            {
                // Before the counters are read: the service has counted nearly all that are connected by then.
                add.accept(new SessionChurn(
                    new ChurnPlan(options.churnPerSecond(), beginNs, endNs, options.turnNs(durationNs)),
                    target.churnConnector(), options.connectTimeoutNs(), folder, start.toEpochMilli()));
            }
            add.accept(new IntervalFiles(folder, start.toEpochMilli()));
            add.accept(new CounterFiles(folder, source, hosts));
            if (null != options.snapshotEveryNs())
            {
                final Cluster cluster = target.cluster().orElseThrow();
                add.accept(new PeriodicSnapshots(
                    (deadline) -> PeriodicSnapshots.take(cluster, deadline), options.snapshotEveryNs(), beginNs, endNs, folder));
            }
        }
    }

    private Offered alone(final Job job, final Optional<Integer> leaderCore)
    {
        final RunConfig config = job.config();
        config.threads().restrictCompilers();
        final Sessions sessions = endRequest.waitFor(() -> job.target().open(job.plan()));
        if (endRequest.isRequested())
        {
            sessions.close();
            throw new NotConnectedException("interrupted before the load began", null);
        }
        try (SchedulerTrace trace = SchedulerTrace.start(config.isExplained()); LoadExecution execution = new LoadExecution(
            job.plan(), config.load().schedule(job.plan()),
            ThreadLocalRandom.current().nextLong(Long.MAX_VALUE - job.plan().stride()), sessions, SystemNanoClock.INSTANCE,
            config.idleStrategy(leaderCore), config.threads().agents(leaderCore, false)))
        {
            if (isJournaled)
            {
                execution.journal(job.folder().path().resolve(FileNames.JOURNAL));
            }
            final CounterSampler counters = new CounterSampler(
                true, !TransportNames.isCluster(config.target().transport()), job.hosts(), config.target().aeronDirs());
            job.watch(counters, execution::add);
            final IntervalListener threads =
                !config.isExplained() ? null : (interval) -> trace.look(interval.leaderMemberId(), counters.pids());
            final WarmUpWatch warmUp = !config.load().warmUp().isAuto() ? null : new WarmUpWatch(
                config.load().warmUp().shortestNs(), counters::compilationMs, execution::requestWarmUpEnd);
            final PrecisionWatch until =
                null == config.load().goal() ? null : new PrecisionWatch(config.load().goal(), execution::requestEnd);
            Stream.of(threads, warmUp, until).filter(Objects::nonNull).forEach(execution::add);
            job.watchers().forEach(execution::add);
            endRequest.ends(execution::requestEnd);
            final long startNs = execution.start(config.intervalNs());
            final LoadResult result = execution.awaitEnd();
            // A later signal does not affect the measurement.
            final boolean isPartial = endRequest.isRequested();
            trace.explain(result.measurement().outcome().slowest(), startNs);
            final long scheduledCount = result.measurement().outcome().of(Counter.SCHEDULED);
            return new Offered(
                result, isPartial, null == warmUp ? null : warmUp.end(job.plan(), execution.plan(), scheduledCount),
                null == until ? null : until.end(job.plan(), scheduledCount), trace);
        }
    }

    private Offered together(final Job job)
    {
        final RunConfig config = job.config();
        final LoadPlan plan = job.plan();
        if (null == workerPool)
        {
            workerPool = new WorkerPool(config.clients().commandLines(), System.err::println);
        }
        final int sessionCount = plan.sessionCount() * config.clients().count();
        final WorkerPool.Request request = new WorkerPool.Request(
            plan, config.load().schedule(plan), config.workerArguments(job.target().resolved()), job.durationNs(),
            ThreadLocalRandom.current().nextLong(Long.MAX_VALUE - sessionCount), config.intervalNs(),
            READY_TIMEOUT_NS + plan.sessionCount() * config.target().connectTimeoutNs(), config.clients().silenceNs());
        final LoadResult result;
        try (DistributedRun run = endRequest.waitFor(() -> prepare(request, job.target())))
        {
            job.watch(run.counters(new CounterSampler(false, false, job.hosts(), config.target().aeronDirs())), run::add);
            job.watchers().forEach(run::add);
            endRequest.ends(run::requestEnd);
            result = run.execute(job.folder());
        }
        // A failure also ends the clients early, without a request.
        final boolean isPartial = endRequest.isRequested() || result.isEndedEarly() && result.failures().isEmpty();
        return new Offered(result, isPartial, null, null, SchedulerTrace.start(false));
    }

    private DistributedRun prepare(final WorkerPool.Request request, final Target target)
    {
        try
        {
            return workerPool.prepare(request);
        }
        catch (final NotConnectedException ex)
        {
            throw target.explained(ex);
        }
    }

    /** End the processes that the series has started. */
    @Override
    public void close()
    {
        CloseHelper.quietClose(workerPool);
    }
}
