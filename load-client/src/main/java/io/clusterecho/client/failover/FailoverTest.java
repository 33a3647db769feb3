package io.clusterecho.client.failover;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.clusterecho.client.audit.AuditJson;
import io.clusterecho.client.audit.AuditReport;
import io.clusterecho.client.audit.Auditor;
import io.clusterecho.client.counters.CounterSampler;
import io.clusterecho.client.counters.RunFiles;
import io.clusterecho.client.load.LoadExecution;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.load.LoadResult;
import io.clusterecho.client.record.Journal;
import io.clusterecho.client.report.LiveRun;
import io.clusterecho.client.report.LiveServer;
import io.clusterecho.client.results.RunEvidence;
import io.clusterecho.client.results.ResultDocuments;
import io.clusterecho.client.results.ResultFolder;
import io.clusterecho.client.results.RunDescription;
import io.clusterecho.client.results.StageReport;
import io.clusterecho.client.results.Verdict;
import io.clusterecho.client.run.Ceiling;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.series.EndRequest;
import io.clusterecho.client.series.HostEvidence;
import io.clusterecho.client.series.StoredRun;
import io.clusterecho.client.series.TestCluster;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.node.local.ClusterMember;
import io.clusterecho.node.local.HostConnections;
import io.clusterecho.node.local.LocalCluster;
import io.clusterecho.node.local.LocalFailure;

import org.agrona.IoUtil;
import org.agrona.concurrent.SystemNanoClock;

/**
 * A failover test on a cluster that serves: load, lab, history, audit, result. Every cycle is written down as soon as it has
 * ended, and each later step may fail without costing what is known: it becomes a problem of the result. One thread.
 * <pre>
 *   load and lab ---- cycle, cycle, ... ----> load ends -> outages from the journal -> cluster stops -> audit -> timelines
 *                       |      |                             |                                                     |
 *                  failover.json so far                failover.json so far                            all documents, one verdict
 * </pre>
 */
public final class FailoverTest
{
    private static final long CEILING_MEASURE_NS = 200_000_000L;
    private static final long STACKS_PAUSE_NS = 500_000_000L;
    private static final String RESULT = "failover.json";
    private static final String TEXT = "failover.txt";
    private static final String CYCLES = "cycles.csv";

    private final RunConfig config;
    private final FailoverPlan plan;
    private final TestCluster testCluster;
    private final LocalCluster cluster;
    private final EndRequest endRequest;
    private final LiveServer server;
    private final Consumer<String> progress;
    private final List<String> problems = new ArrayList<>();
    private ResultFolder folder;
    private boolean isAuditInterrupted;
    private String json;
    private String text;
    private int exitStatus;

    /**
     * A test that has not begun.
     *
     * @param config     of the load.
     * @param plan       of the faults.
     * @param cluster    which serves; stopped in the course of the test if it is the command's own.
     * @param endRequest that ends it early.
     * @param server     of the live page, or null.
     * @param progress   given a line for each thing that happens.
     */
    public FailoverTest(
        final RunConfig config,
        final FailoverPlan plan,
        final TestCluster cluster,
        final EndRequest endRequest,
        final LiveServer server,
        final Consumer<String> progress)
    {
        this.config = config;
        this.plan = plan;
        testCluster = cluster;
        this.cluster = cluster.cluster();
        this.endRequest = endRequest;
        this.server = server;
        this.progress = progress;
    }

    /**
     * The result as JSON, once there is one.
     */
    public String json()
    {
        return json;
    }

    /**
     * The result for a person, once there is one.
     */
    public String text()
    {
        return text;
    }

    /**
     * What the process should end with, once there is a result.
     */
    public int exitStatus()
    {
        return exitStatus;
    }

    /**
     * Run it.
     *
     * @param longestNs that it can take.
     * @throws NotConnectedException if there is no session with the cluster.
     */
    public void execute(final long longestNs)
    {
        // Before sessions are open, which do nothing while somebody waits for an ssh.
        HostConnections.make(cluster.hosts());
        final Target target = new Target(config);
        target.checkLength();
        final LoadPlan load = config.plan(longestNs);
        final Instant start = Instant.now();
        final long firstClientId = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE - load.sessionCount());
        final Sessions sessions = endRequest.waitFor(() -> target.open(load));
        final Faults faults;
        try (LoadExecution execution = new LoadExecution(
            load, config.schedule(load), firstClientId, sessions, SystemNanoClock.INSTANCE,
            config.threads().idleStrategy(), config.threads().agents(target.leaderCore(), true)))
        {
            folder = ResultFolder.create(config.output(), config.label(), start);
            execution.journal(new Journal(journalFile()));
            execution.add(new RunFiles(
                folder, start.toEpochMilli(), new CounterSampler(true, cluster.hosts()), cluster.hosts()));
            if (null != server)
            {
                execution.add(server.show(new LiveRun(
                    config.label(), folder.path(), config.commandLine(), target.durability())));
            }
            faults = inject(execution, load);
        }
        finally
        {
            endRequest.ends(null);
        }

        problems.addAll(faults.load().problems());
        final FailoverHistory history = new FailoverHistory(
            journalFile(), config.schedule(load), load, firstClientId, faults.startNs(), faults.loadEndNs());
        final List<Cycle> cycles = measured(history, faults.cycles());
        keep(cycles);
        final List<String> warnings = new ArrayList<>(HostEvidence.write(folder, cluster.hosts()));
        attempt("stopping the cluster", testCluster::stop);
        final AuditReport audit = audit();
        final List<CycleTimeline> timelines = timelines(history, cycles);

        warnings.addAll(target.warnings());
        warnings.addAll(StageReport.warnings(faults.load().measurement()));
        final FailoverResult result = new FailoverResult(
            plan, cycles, timelines, faults.load().measurement().outcome(), config.load().delivery().isExactlyOnce(), audit,
            cluster.config().outageBoundNs());
        final RunEvidence evidence = new RunEvidence(
            faults.load().measurement(), load.ratePerSecond(), config.thresholds(), faults.isEndedEarly() || isAuditInterrupted,
            problems, warnings, result.account());
        store(target, start, faults.load(), result, evidence);
    }

    /**
     * What the lab leaves behind.
     *
     * @param cycles       that were run.
     * @param startNs      of the schedule, on the clock of the journal.
     * @param loadEndNs    since the start of the schedule.
     * @param isEndedEarly whether that was asked for.
     * @param load         under which they ran.
     */
    private record Faults(List<Cycle> cycles, long startNs, long loadEndNs, boolean isEndedEarly, LoadResult load)
    {
    }

    private Faults inject(final LoadExecution execution, final LoadPlan load)
    {
        progress.accept("warming up for " + config.load().warmUpNs() / 1_000_000 + " ms");
        final long startNs = execution.start(config.intervalNs());
        endRequest.pause(Math.max(0, startNs + config.load().warmUpNs() - System.nanoTime()));
        final FailoverLab lab = FailoverLab.of(
            plan, cluster, execution.agent(), startNs, load.ratePerSecond(), SystemNanoClock.INSTANCE,
            () -> LockSupport.parkNanos(FailoverLab.LOOK_INTERVAL_NS), new Observer());
        endRequest.ends(lab::requestEnd);
        final List<Cycle> cycles = lab.execute();
        final boolean isEndedEarly = endRequest.isRequested();
        final long loadEndNs = System.nanoTime() - startNs;
        execution.requestEnd();
        problems.addAll(lab.problems());
        return new Faults(cycles, startNs, loadEndNs, isEndedEarly, execution.awaitEnd());
    }

    /**
     * Writes down each cycle as it ends, and what the members of one that did not recover say.
     */
    private final class Observer implements FailoverLab.Observer
    {
        @Override
        public void onProgress(final String line)
        {
            progress.accept(line);
        }

        @Override
        public void onCycle(final Cycle cycle, final List<Cycle> soFar)
        {
            progress.accept(FailoverText.line(cycle));
            keep(soFar);
        }

        @Override
        public void onUnrecovered(final Cycle cycle)
        {
            keepMembers(cycle);
        }
    }

    /**
     * Write down what is known of cycles, while load and audit are not.
     */
    private void keep(final List<Cycle> cycles)
    {
        final FailoverResult result = new FailoverResult(
            plan, cycles, List.of(), null, config.load().delivery().isExactlyOnce(), null, cluster.config().outageBoundNs());
        final Verdict verdict = Verdict.of(new RunEvidence(
            null, config.load().ratePerSecond(), List.of(), true, problems, List.of(), result.account()));
        attempt("writing what is known so far", () ->
        {
            folder.write(
                RESULT, FailoverJson.json(result, verdict, config.commandLine(), folder.path().toString()));
            folder.write(CYCLES, FailoverJson.csv(result));
        });
    }

    private List<Cycle> measured(final FailoverHistory history, final List<Cycle> cycles)
    {
        try
        {
            return history.measured(cycles);
        }
        catch (final RuntimeException ex)
        {
            problems.add(
                "outages are known from looks at the running load only, since the journal cannot be read: " + ex.getMessage());
            return cycles;
        }
    }

    private List<CycleTimeline> timelines(final FailoverHistory history, final List<Cycle> cycles)
    {
        try
        {
            return history.timelines(cycles);
        }
        catch (final RuntimeException ex)
        {
            problems.add("there are no timelines: " + ex.getMessage());
            return List.of();
        }
    }

    /**
     * A request that comes meanwhile ends it; after one that came before, it is done all the same.
     *
     * @return null if it could not be done, or was interrupted: half an audit takes what it did not read for lost.
     */
    private AuditReport audit()
    {
        final boolean isRequestedBefore = endRequest.isRequested();
        AuditReport report = null;
        String failure = "";
        try
        {
            report = isRequestedBefore ? auditLogs() : endRequest.waitFor(this::auditLogs);
        }
        catch (final RuntimeException ex)
        {
            failure = "the members' logs were not audited: " + (null == ex.getMessage() ? ex.toString() : ex.getMessage());
        }

        final boolean isInterruptible = !isRequestedBefore && endRequest.isRequested();
        if (isInterruptible && (null == report || !report.isClean()))
        {
            isAuditInterrupted = true;
            return null;
        }
        if (!failure.isEmpty())
        {
            problems.add(failure);
        }
        return report;
    }

    private AuditReport auditLogs()
    {
        // Logs of other hosts are far longer than a result: they are read here, and left there.
        final Path copies = cluster.config().baseDir().resolve("audited");
        try
        {
            if (cluster.inventory().isPresent())
            {
                progress.accept("fetching the members' logs");
            }
            cluster.members().forEach((member) -> member.statesHere(copies));
            final List<Path> dirs = cluster.members().stream().map((member) -> member.dirHere(copies)).toList();
            progress.accept("auditing the members' logs");
            return Auditor.audit(dirs, List.of(journalFile()));
        }
        finally
        {
            IoUtil.delete(copies.toFile(), true);
        }
    }

    private void store(
        final Target target,
        final Instant start,
        final LoadResult load,
        final FailoverResult result,
        final RunEvidence evidence)
    {
        final Map<String, String> configuration = new TreeMap<>(config.options());
        configuration.putAll(target.derived());
        configuration.put("threads", String.join("; ", load.scheduling()));
        final RunDescription description = new RunDescription(
            config.label(), start, config.commandLine(), configuration, target.settings(),
            target.durability(), target.placementWords(),
            Ceiling.messagesPerSecond((int)config.load().lengthBytes(), CEILING_MEASURE_NS));
        final String path = folder.path().toString();
        final ResultDocuments documents = new ResultDocuments(folder);
        documents.addFile(CYCLES, () -> folder.write(CYCLES, FailoverJson.csv(result)));
        documents.addFile("timeline.csv", () -> folder.write("timeline.csv", FailoverJson.timelineCsv(result.timelines())));
        if (null != result.audit())
        {
            documents.addFile("audit.json", () -> folder.write("audit.json", AuditJson.json(result.audit())));
        }
        documents.add(RESULT, (verdict) -> FailoverJson.json(result, verdict, description.commandLine(), path));
        documents.add(TEXT, (verdict) -> FailoverText.text(result, verdict, path));
        final Verdict verdict = StoredRun.write(
            folder, documents, description, evidence, List.of(), config.baselines(), true).verdict();
        json = documents.text(RESULT);
        text = documents.text(TEXT);
        exitStatus = verdict.exitStatus();
    }

    private void attempt(final String what, final Runnable step)
    {
        try
        {
            step.run();
        }
        catch (final RuntimeException ex)
        {
            final String problem = what + " failed: " + (null == ex.getMessage() ? ex.toString() : ex.getMessage());
            if (!problems.contains(problem))
            {
                problems.add(problem);
            }
        }
    }

    private Path journalFile()
    {
        return folder.path().resolve("journal.bin");
    }

    private void keepMembers(final Cycle cycle)
    {
        final Path evidence = folder.path().resolve("cycle-" + cycle.number());
        try
        {
            Files.createDirectories(evidence);
            cluster.dumpStacks();
            LockSupport.parkNanos(STACKS_PAUSE_NS);
            for (final ClusterMember member : cluster.members())
            {
                Files.write(evidence.resolve("member-" + member.memberId() + ".log"), said(member));
                Files.writeString(
                    evidence.resolve("member-" + member.memberId() + "-counters.txt"), String.valueOf(
                    member.counters().map(Object::toString).orElse("does not run")));
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot keep evidence in " + evidence + ": " + ex.getMessage(), ex);
        }
    }

    private static List<String> said(final ClusterMember member)
    {
        try
        {
            return member.said();
        }
        catch (final LocalFailure ex)
        {
            return List.of("its log cannot be had: " + ex.getMessage());
        }
    }
}
