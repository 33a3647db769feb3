package io.clusterecho.failover.lab;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.clusterecho.client.counters.CounterFiles;
import io.clusterecho.client.counters.CounterSampler;
import io.clusterecho.client.load.LoadAgent;
import io.clusterecho.client.load.LoadExecution;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.load.LoadResult;
import io.clusterecho.client.run.EndRequest;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.series.HostEvidence;
import io.clusterecho.client.series.StoredRun;
import io.clusterecho.client.series.TestCluster;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Endings;
import io.clusterecho.control.member.MemberHost;
import io.clusterecho.failover.audit.AuditReport;
import io.clusterecho.failover.audit.Auditor;
import io.clusterecho.failover.audit.RequestIndex;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.platform.WaitClock;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.IntervalFiles;
import io.clusterecho.reporting.results.ProcessName;
import io.clusterecho.reporting.results.ResultDocuments;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.RunEvidence;
import io.clusterecho.reporting.results.StageReport;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.Io;
import io.clusterecho.settings.Cause;
import io.clusterecho.settings.Quantity;
import io.clusterecho.text.Lines;

import org.agrona.IoUtil;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * A failover test on a running cluster: load, lab, history, audit, result. Each cycle is written as soon as it has ended. A later
 * step that fails becomes a problem of the result and loses nothing that was written. Not thread-safe.
 * <pre>
 *   load and lab ---- cycle, cycle, ... ----> load ends -> outages from the journal -> cluster stops -> audit -> timelines
 *                       |      |                             |                                                     |
 *                  failover.json so far                failover.json so far                            all documents, one verdict
 * </pre>
 */
public class FailoverTest
{
    private static final long STACKS_PAUSE_NS = 500_000_000L;
    private static final String RESULT = DocumentKind.FAILOVER.fileName();
    private static final String TEXT = "failover.txt";

    /** The result of a test. */
    public record Result(String json, String text, int exitStatus, StoredRun run, List<Cycle> cycles)
    {
    }

    /** What the lab has done, and what came of the load meanwhile. */
    record Faults(List<Cycle> cycles, FailoverHistory history, boolean isEndedEarly, LoadResult load)
    {
    }

    /** Of the result; null before the load begins. */
    ResultFolder folder;
    final List<String> problems = new ArrayList<>();

    private final RunConfig config;
    private final FailoverPlan plan;
    private final TestCluster testCluster;
    private final Cluster cluster;
    private final EndRequest endRequest;
    private final List<? extends IntervalListener> watchers;
    private final Consumer<String> progress;
    private final NanoClock clock = SystemNanoClock.INSTANCE;
    private Target target;
    private Instant start;
    private Optional<Integer> leaderCore;
    private FailoverLab lab;
    /** Null without a rollout. */
    private Rollout rollout;
    private boolean isAuditInterrupted;

    /** A test of a running cluster, which it stops if the command started it. */
    public FailoverTest(
        final RunConfig config, final FailoverPlan plan, final TestCluster cluster, final EndRequest endRequest,
        final List<? extends IntervalListener> watchers, final Consumer<String> progress)
    {
        this.config = config;
        this.plan = plan;
        testCluster = cluster;
        this.cluster = cluster.cluster();
        this.endRequest = endRequest;
        this.watchers = watchers;
        this.progress = progress;
    }

    /** @throws NotConnectedException if no session with the cluster can be opened. */
    public Result execute(final long longestNs)
    {
        if (config.load().codec().isGiven())
        {
            // Of what it sends at least: a longer test may have to be audited after it, with more heap.
            RequestIndex.checkMemory(config.load().count(Math.max(plan.durationNs(), plan.cycleCount() * plan.gapNs())));
        }
        // Before sessions are open, because nobody polls them while an ssh connection is made.
        MemberHost.connect(cluster.hosts());
        target = new Target(config);
        target.checkLength();
        final LoadPlan load = config.load().plan(longestNs);
        start = Instant.now();
        final long firstClientId = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE - load.sessionCount());
        config.threads().restrictCompilers();
        final Sessions sessions = endRequest.waitFor(() -> target.open(load));
        final Faults faults;
        leaderCore = target.leaderCore();
        try (LoadExecution execution = new LoadExecution(
            load, config.load().schedule(load), firstClientId, sessions, clock,
            config.idleStrategy(leaderCore), config.threads().agents(leaderCore, true)))
        {
            folder = ResultFolder.create(config.output(), config.label(), start);
            execution.journal(journalFile());
            execution.add(new IntervalFiles(folder, start.toEpochMilli()));
            execution.add(new CounterFiles(
                folder, new CounterSampler(true, false, cluster.hosts(), List.of()), cluster.hosts()));
            watchers.forEach(execution::add);
            faults = inject(execution, load, firstClientId);
        }
        finally
        {
            endRequest.ends(null);
        }

        return finish(faults);
    }

    private Faults inject(final LoadExecution execution, final LoadPlan load, final long firstClientId)
    {
        progress.accept("warming up for " + Quantity.formatNs(config.load().warmUpNs()));
        final long startNs = execution.start(config.intervalNs());
        endRequest.pause(Math.max(0, startNs + config.load().warmUpNs() - clock.nanoTime()));
        rollout = null == plan.rollout() ? null : new Rollout(cluster, plan.rollout());
        lab = new FailoverLab(
            plan, cluster, rollout, execution.view(), startNs, load.ratePerSecond(), WaitClock.SYSTEM, this::onCycle);
        endRequest.ends(lab::requestEnd);
        final List<Cycle> cycles = lab.execute();
        final boolean isEndedEarly = endRequest.isRequested();
        final FailoverHistory history = new FailoverHistory(
            journalFile(), config.load().schedule(load), load, firstClientId, startNs, clock.nanoTime() - startNs);
        execution.requestEnd();
        problems.addAll(lab.problems());
        return new Faults(cycles, history, isEndedEarly, execution.awaitEnd());
    }

    /** Write a cycle as it ends, and the members' logs and counters after one that did not recover. */
    private void onCycle(final Cycle cycle, final List<Cycle> soFar)
    {
        progress.accept(FailoverText.line(cycle));
        try
        {
            if (null != rollout)
            {
                problems.addAll(rollout.onCycle(cycle));
            }
            keep(soFar);
        }
        finally
        {
            if (!cycle.isRecovered() && !cycle.isInterrupted())
            {
                if (null != rollout)
                {
                    // What is left serves, and another step could end that.
                    lab.requestEnd();
                }
                writeMemberEvidence(cycle);
            }
        }
    }

    /** Write the cycles before the results of load and audit are known. */
    void keep(final List<Cycle> cycles)
    {
        final FailoverResult result = result(cycles, List.of(), null, null);
        final Verdict verdict = Verdict.of(new RunEvidence(
            null, config.load().ratePerSecond(), List.of(), true, problems, List.of(), result.account(), null));
        attempt("writing the cycles so far", () -> folder.write(RESULT, json(result, verdict)));
    }

    private FailoverResult result(
        final List<Cycle> cycles, final List<CycleTimeline> timelines, final LoadOutcome outcome, final AuditReport audit)
    {
        return new FailoverResult(
            cycles, timelines, outcome, config.load().delivery().isExactlyOnce(), config.load().codec().isGiven(),
            audit, bounds(), null == rollout ? null : rollout.result(cycles));
    }

    private String json(final FailoverResult result, final Verdict verdict)
    {
        return Documents.text(result.document(verdict, config.commandLine(), folder.path().toString()));
    }

    /**
     * Run the steps after the load, decide the verdict and write the result, which is returned even if it could not be written.
     */
    Result finish(final Faults faults)
    {
        final LoadMeasurement measurement = faults.load().measurement();
        problems.addAll(faults.load().problems());
        final List<Cycle> cycles = read(
            () -> faults.history().measured(faults.cycles()), faults.cycles(),
            "outages come from polling the running load because the journal cannot be read: ");
        keep(cycles);
        final List<String> warnings = new ArrayList<>();
        attempt("collecting evidence from hosts", () -> warnings.addAll(collectEvidence()));
        attempt("stopping the cluster", this::stopCluster);
        final AuditReport audit = audit();
        if (null != audit && audit.log().isOwnService() && audit.journal().acknowledgedPurged() > 0)
        {
            warnings.add(Lines.text(
                "%,d of %,d acknowledged requests not known: purged", audit.journal().acknowledgedPurged(),
                audit.journal().acknowledged()));
        }
        final List<CycleTimeline> timelines =
            read(() -> faults.history().timelines(cycles), List.of(), "timelines are missing: ");

        warnings.addAll(StageReport.warnings(measurement));
        cycles.stream().filter((cycle) -> null != cycle.healed()).map(FailoverText::healedText).forEach(warnings::add);
        final FailoverResult result = result(cycles, timelines, measurement.outcome(), audit);
        final RunEvidence evidence = new RunEvidence(
            measurement, config.load().ratePerSecond(), config.thresholds(), faults.isEndedEarly() || isAuditInterrupted,
            problems, warnings, result.account(), null);
        final ResultDocuments documents = documents(result);
        final StoredRun run = StoredRun.write(
            folder, documents, describe(faults.load()), evidence, List.of(), config.calibrations(), true);
        return new Result(
            documents.text(RESULT), documents.text(TEXT), run.verdict().exitStatus(), run, result.cycles());
    }

    private ResultDocuments documents(final FailoverResult result)
    {
        final ResultDocuments documents = new ResultDocuments(folder);
        documents.addFile(FileNames.TIMELINE, () -> FailoverText.timelinesCsv(result.timelines()));
        if (null != result.audit())
        {
            documents.addFile(DocumentKind.AUDIT.fileName(), () -> Documents.text(result.audit()));
        }
        documents.add(RESULT, (verdict) -> json(result, verdict));
        documents.add(TEXT, (verdict) -> FailoverText.text(result, verdict, folder.path().toString()));
        return documents;
    }

    /** What a reading returns; if it fails, another value, and its reason is a problem of the result. */
    private <T> T read(final Supplier<T> reading, final T otherwise, final String problem)
    {
        try
        {
            return reading.get();
        }
        catch (final RuntimeException ex)
        {
            final String text = problem + Cause.of(ex);
            if (!problems.contains(text))
            {
                problems.add(text);
            }
            return otherwise;
        }
    }

    private void attempt(final String what, final Runnable step)
    {
        read(() ->
        {
            step.run();
            return null;
        }, null, what + " failed: ");
    }

    /**
     * A request for an early end during the audit interrupts it; one before it does not.
     *
     * @return null if it failed or was interrupted: an incomplete audit would report unread messages as lost.
     */
    private AuditReport audit()
    {
        final boolean isRequestedBefore = endRequest.isRequested();
        AuditReport report = null;
        try
        {
            report = isRequestedBefore ? auditLogs() : endRequest.waitFor(this::auditLogs);
        }
        catch (final RuntimeException ex)
        {
            if (isRequestedBefore || !endRequest.isRequested())
            {
                problems.add("the members' logs were not audited: " + Cause.of(ex));
            }
        }

        isAuditInterrupted = !isRequestedBefore && endRequest.isRequested() && (null == report || !report.isClean());
        return isAuditInterrupted ? null : report;
    }

    FailoverResult.Bounds bounds()
    {
        return new FailoverResult.Bounds(
            cluster.config().value(NodeSettings.HEARTBEAT_TIMEOUT), cluster.config().outageBoundNs());
    }

    /** From hosts, while their members still run; returns warnings, a sentence each. */
    List<String> collectEvidence()
    {
        final List<String> warnings = new ArrayList<>(HostEvidence.write(folder, cluster.hosts()));
        warnings.addAll(target.warnings());
        // Those of Aeron follow from the faults.
        Endings.errors(cluster.members(), start).stream().filter(
            (error) -> config.load().codec().isGiven() && !error.contains(": io.aeron.")).forEach(warnings::add);
        return warnings;
    }

    void stopCluster()
    {
        testCluster.stop();
    }

    RunDescription describe(final LoadResult load)
    {
        return target.describe(
            start, leaderCore, load.scheduling(), LoadAgent.ceilingPerSecond(config.load().messages()), null, null, null);
    }

    AuditReport auditLogs()
    {
        // Logs from other hosts are much larger than a result: copy them, audit them, delete the copies.
        final Path copies = cluster.config().baseDir().resolve("audited");
        try
        {
            if (cluster.inventory().isPresent())
            {
                progress.accept("fetching the members' logs");
            }
            cluster.members().forEach((member) -> member.fetchStates(copies));
            final List<Path> dirs = cluster.members().stream().map((member) -> member.localDir(copies)).toList();
            progress.accept("auditing the members' logs");
            return Auditor.audit(dirs, List.of(journalFile()), RequestIndex.of(
                config.load().seed(), config.load().sessionCount(), config.load().codec()));
        }
        finally
        {
            IoUtil.delete(copies.toFile(), true);
        }
    }

    private Path journalFile()
    {
        return folder.path().resolve(FileNames.JOURNAL);
    }

    private void writeMemberEvidence(final Cycle cycle)
    {
        final Path evidence = folder.path().resolve("cycle-" + cycle.number());
        Io.run((ex) -> new UncheckedIOException("cannot write evidence to " + evidence + ": " + ex.getMessage(), ex), () ->
        {
            Files.createDirectories(evidence);
            cluster.dumpStacks();
            LockSupport.parkNanos(STACKS_PAUSE_NS);
            for (final ClusterMember member : cluster.members())
            {
                Files.write(evidence.resolve(ProcessName.ofMember(member.memberId()) + ".log"), logLines(member));
                Files.writeString(
                    evidence.resolve(ProcessName.ofMember(member.memberId()) + "-counters.txt"),
                    member.counters().map(Object::toString).orElse("not running"));
            }
        });
    }

    private static List<String> logLines(final ClusterMember member)
    {
        try
        {
            return member.output();
        }
        catch (final ControlFailure ex)
        {
            return List.of("its log is not available: " + ex.getMessage());
        }
    }
}
