package io.clusterecho.failover.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.clusterecho.client.counters.CounterFiles;
import io.clusterecho.client.counters.CounterSampler;
import io.clusterecho.client.load.LoadExecution;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.load.LoadResult;
import io.clusterecho.client.record.Journal;
import io.clusterecho.client.run.Ceiling;
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
import io.clusterecho.control.member.MemberHost;
import io.clusterecho.failover.audit.AuditReport;
import io.clusterecho.failover.audit.Auditor;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.platform.WaitClock;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.IntervalFiles;
import io.clusterecho.reporting.results.ProcessName;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.settings.Quantity;

import org.agrona.IoUtil;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * A failover test on a running cluster: load, lab, history, audit, result. Not thread-safe.
 * <pre>
 *   load and lab ---- cycle, cycle, ... ----> load ends -> outages from the journal -> cluster stops -> audit -> timelines
 *                       |      |                             |                                                     |
 *                  failover.json so far                failover.json so far                            all documents, one verdict
 * </pre>
 */
public final class FailoverTest
{
    private static final long STACKS_PAUSE_NS = 500_000_000L;

    /** The result of a test. */
    public record Result(String json, String text, int exitStatus, StoredRun run, Path folder, List<Cycle> cycles)
    {
    }

    /** What the lab has done, and what came of the load meanwhile. */
    record Faults(List<Cycle> cycles, FailoverHistory history, boolean isEndedEarly, LoadResult load)
    {
    }

    private final RunConfig config;
    private final FailoverPlan plan;
    private final TestCluster testCluster;
    private final Cluster cluster;
    private final EndRequest endRequest;
    private final List<? extends IntervalListener> watchers;
    private final Consumer<String> progress;
    private final NanoClock clock = SystemNanoClock.INSTANCE;
    private ResultFolder folder;
    private FailoverRecord record;
    private FailoverLab lab;
    /** Null without a rollout. */
    private Rollout rollout;

    /** A test of a running cluster, which it stops if the command started it. */
    public FailoverTest(
        final RunConfig config,
        final FailoverPlan plan,
        final TestCluster cluster,
        final EndRequest endRequest,
        final List<? extends IntervalListener> watchers,
        final Consumer<String> progress)
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
        // Before sessions are open, because nobody polls them while an ssh connection is made.
        MemberHost.connect(cluster.hosts());
        final Target target = new Target(config);
        target.checkLength();
        final LoadPlan load = config.load().plan(longestNs);
        final Instant start = Instant.now();
        final long firstClientId = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE - load.sessionCount());
        config.threads().restrictCompilers();
        final Sessions sessions = endRequest.waitFor(() -> target.open(load));
        final Faults faults;
        final Optional<Integer> leaderCore = target.leaderCore();
        try (LoadExecution execution = new LoadExecution(
            load, config.load().schedule(load), firstClientId, sessions, clock,
            config.idleStrategy(leaderCore), config.threads().agents(leaderCore, true)))
        {
            folder = ResultFolder.create(config.output(), config.label(), start);
            record = new FailoverRecord(
                folder, config,
                new FailoverResult.Bounds(
                    cluster.config().value(NodeSettings.HEARTBEAT_TIMEOUT), cluster.config().outageBoundNs()));
            execution.journal(new Journal(journalFile()));
            execution.add(new IntervalFiles(folder, start.toEpochMilli()));
            execution.add(new CounterFiles(folder, new CounterSampler(true, cluster.hosts()), cluster.hosts()));
            watchers.forEach(execution::add);
            faults = inject(execution, load, firstClientId);
        }
        finally
        {
            endRequest.ends(null);
        }

        return record.finish(faults, new FailoverRecord.Aftermath(
            () -> collectEvidence(target), testCluster::stop, endRequest::isRequested,
            () -> endRequest.isRequested() ? auditLogs() : endRequest.waitFor(this::auditLogs),
            () -> describe(target, start, leaderCore, faults.load())));
    }

    private Faults inject(final LoadExecution execution, final LoadPlan load, final long firstClientId)
    {
        progress.accept("warming up for " + Quantity.formatNs(config.load().warmUpNs()));
        final long startNs = execution.start(config.intervalNs());
        endRequest.pause(Math.max(0, startNs + config.load().warmUpNs() - clock.nanoTime()));
        final LabCluster members = new LabCluster(cluster, plan.rollout());
        rollout = members.rollout();
        lab = new FailoverLab(
            plan, members, execution.view(), startNs, load.ratePerSecond(), WaitClock.SYSTEM, this::onCycle);
        endRequest.ends(lab::requestEnd);
        final List<Cycle> cycles = lab.execute();
        final boolean isEndedEarly = endRequest.isRequested();
        final FailoverHistory history = new FailoverHistory(
            journalFile(), config.load().schedule(load), load, firstClientId, startNs, clock.nanoTime() - startNs);
        execution.requestEnd();
        record.addProblems(lab.problems());
        return new Faults(cycles, history, isEndedEarly, execution.awaitEnd());
    }

    private List<String> collectEvidence(final Target target)
    {
        final List<String> warnings = new ArrayList<>(HostEvidence.write(folder, cluster.hosts()));
        warnings.addAll(target.warnings());
        return warnings;
    }

    private RunDescription describe(
        final Target target, final Instant start, final Optional<Integer> leaderCore, final LoadResult load)
    {
        final Map<String, String> configuration = new TreeMap<>(config.effectiveOptions(leaderCore));
        configuration.putAll(target.derived());
        configuration.put("threads", String.join("; ", load.scheduling()));
        return new RunDescription(
            config.label(), start, config.commandLine(), configuration, target.settings(), target.durability(),
            target.placementWords(), Ceiling.messagesPerSecond(config.load().messages()));
    }

    /** Write a cycle as it ends, and the members' logs and counters after one that did not recover. */
    private void onCycle(final Cycle cycle, final List<Cycle> soFar)
    {
        progress.accept(FailoverText.line(cycle));
        try
        {
            if (null != rollout)
            {
                record.addProblems(rollout.onCycle(cycle));
                record.rolledOut(rollout.result());
            }
            record.keep(soFar);
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

    private AuditReport auditLogs()
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
            return Auditor.audit(dirs, List.of(journalFile()));
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
        try
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
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot write evidence to " + evidence + ": " + ex.getMessage(), ex);
        }
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
