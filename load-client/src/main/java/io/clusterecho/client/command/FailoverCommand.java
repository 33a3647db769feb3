package io.clusterecho.client.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

import io.clusterecho.client.audit.AuditJson;
import io.clusterecho.client.audit.AuditReport;
import io.clusterecho.client.audit.Auditor;
import io.clusterecho.client.counters.CounterFiles;
import io.clusterecho.client.counters.CounterSampler;
import io.clusterecho.client.counters.HostFiles;
import io.clusterecho.client.failover.Cycle;
import io.clusterecho.client.failover.CycleTimelines;
import io.clusterecho.client.failover.FailoverJson;
import io.clusterecho.client.failover.FailoverLab;
import io.clusterecho.client.failover.FailoverPlan;
import io.clusterecho.client.failover.FailoverResult;
import io.clusterecho.client.failover.FailoverText;
import io.clusterecho.client.failover.Fault;
import io.clusterecho.client.failover.FaultScript;
import io.clusterecho.client.load.IntervalListener;
import io.clusterecho.client.load.LoadAgent;
import io.clusterecho.client.load.LoadMeasurement;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.load.LoadRun;
import io.clusterecho.client.record.Journal;
import io.clusterecho.client.report.LiveServer;
import io.clusterecho.client.results.IntervalFiles;
import io.clusterecho.client.results.ResultFolder;
import io.clusterecho.client.results.RunDescription;
import io.clusterecho.client.results.Verdict;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.local.ClusterMember;
import io.clusterecho.node.local.HostConnections;
import io.clusterecho.node.local.LocalCluster;
import io.clusterecho.node.local.LocalFailure;
import io.clusterecho.node.local.TimeoutPreset;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

import org.agrona.IoUtil;
import org.agrona.concurrent.SystemNanoClock;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Faults under load, on a cluster of this machine.
 */
@Command(
    name = "failover",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Injects faults into members while load goes on, measures each outage, and proves what was lost.",
    description = {
        "",
        "Works on the cluster that runs in --cluster-dir, or starts one there for the test and stops it after. Messages are " +
        "offered at their intended times throughout. At the end the logs of all members are held against the client's own " +
        "journal of what was acknowledged.",
        "" },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
        " 0:all cycles recovered and nothing was lost", " 1:internal error", " 2:usage", " 3:no cluster, or no session with it",
        " 4:a cycle did not recover or was not valid, or the audit has findings", "130:interrupted" })
public final class FailoverCommand implements Callable<Integer>
{
    private static final long CYCLE_OVERHEAD_NS = 60_000_000_000L;
    private static final long CEILING_MEASURE_NS = 200_000_000L;
    private static final List<String> VICTIMS = List.of("leader", "follower", "followers", "all", "each");

    @Spec
    private CommandSpec spec;

    @Mixin
    private LoadOptions options;

    @Option(names = "--fault", paramLabel = "LIST", defaultValue = "kill", split = ",",
        description = "kill (SIGKILL), term (SIGTERM), pause (SIGSTOP), partition (cut off from members and clients), wipe " +
        "(SIGKILL, and its data deleted) or script (what --fault-script does); several are taken in turn. " +
        "Default: ${DEFAULT-VALUE}.")
    private List<Fault> faults;

    @Option(names = "--fault-script", paramLabel = "FILE",
        description = "Program that makes and undoes the fault 'script'. It is called with: inject or undo, the member's id, " +
        "and the pid of its process.")
    private Path faultScript;

    @Option(names = "--victim", paramLabel = "LIST", defaultValue = "leader", split = ",",
        description = "leader, follower, followers (all of them), all, each (in turn), or a member id; several are taken in " +
        "turn. Default: ${DEFAULT-VALUE}.")
    private List<String> victims;

    @Option(names = "--random", description = "Draw fault and victim of each cycle from the lists, by --seed.")
    private boolean isRandom;

    @Option(names = "--cycles", paramLabel = "N", defaultValue = "5", converter = Converters.PositiveInt.class,
        description = "Number of faults. Default: ${DEFAULT-VALUE}.")
    private int cycleCount;

    @Option(names = "--for", paramLabel = "TIME", defaultValue = "0s", converter = Converters.Duration.class,
        description = "Begin new cycles until so much time has passed, instead of --cycles. Default: off.")
    private long durationNs;

    @Option(names = "--gap", paramLabel = "TIME", defaultValue = "2s", converter = Converters.Duration.class,
        description = "Between a recovery and the next fault. Default: ${DEFAULT-VALUE}.")
    private long gapNs;

    @Option(names = "--return-after", paramLabel = "TIME", defaultValue = "3s", converter = Converters.ReturnAfter.class,
        description = "When the victim returns (is restarted, continued, healed) after the fault, or never. " +
        "Default: ${DEFAULT-VALUE}.")
    private long returnAfterNs;

    @Option(names = "--limit", paramLabel = "TIME", defaultValue = "60s", converter = Converters.Duration.class,
        description = "For a cycle to recover. Default: ${DEFAULT-VALUE}.")
    private long limitNs;

    @Option(names = "--snapshot", description = "Take a snapshot before each fault.")
    private boolean isSnapshotting;

    @Option(names = "--timeouts", paramLabel = "NAME", defaultValue = "default",
        description = "Timeouts of a cluster that is started for the test: default (Aeron's own), fast or fastest. " +
        "Default: ${DEFAULT-VALUE}.")
    private TimeoutPreset timeouts;

    @Option(names = "--set", paramLabel = "KEY=VALUE",
        description = "Any setting of the members of a cluster that is started for the test.")
    private List<String> assignments = new ArrayList<>();

    @Option(names = "--json", description = "Print the result as one JSON document.")
    private boolean isJson;

    @Option(names = "--quiet", description = "No progress on stderr.")
    private boolean isQuiet;

    @Mixin
    private LiveOptions live;

    FailoverCommand()
    {
    }

    @Override
    public Integer call()
    {
        final FailoverPlan plan = new FailoverPlan(
            cycleCount, durationNs, faults, victims, isRandom, options.seed, gapNs, returnAfterNs, limitNs, isSnapshotting,
            null == faultScript ? null : new FaultScript(faultScript));
        final long cycleNs = gapNs + 2 * limitNs + CYCLE_OVERHEAD_NS;
        final long longestNs = durationNs > 0 ? durationNs + cycleNs : cycleCount * cycleNs;
        check(longestNs);

        final TestCluster cluster = TestCluster.runningOrOwn(
            options.clusterDir, options.inventory(), this::settings, this::say);
        if (cluster.cluster().config().isPlainEcho())
        {
            throw new InvalidSettingException(
                NodeSettings.SERVICE.key(), "plain", "echo, for a failover test: its audit needs members that keep accounts");
        }
        final Thread main = Thread.currentThread();
        final Interruption interruption = Interruption.install(main::interrupt);
        try (LiveServer server = live.serve())
        {
            cluster.start();
            return test(plan, cluster, longestNs, interruption, server);
        }
        catch (final LocalFailure ex)
        {
            System.err.println("error: " + ex.getMessage());
            return interruption.isRequested() ? ExitCode.INTERRUPTED : ExitCode.NOT_CONNECTED;
        }
        finally
        {
            Thread.interrupted();
            cluster.close();
        }
    }

    private int test(
        final FailoverPlan plan,
        final TestCluster testCluster,
        final long longestNs,
        final Interruption interruption,
        final LiveServer server)
    {
        final LocalCluster cluster = testCluster.cluster();
        // Before sessions are open, which do nothing while somebody waits for an ssh.
        HostConnections.make(cluster.hosts());
        final Target target = new Target(options);
        options.checkLength(target.maxLengthBytes());
        final LoadPlan load = options.plan(longestNs);
        final Instant start = Instant.now();
        final ResultFolder folder = ResultFolder.create(options.output, options.label, start);
        final List<Cycle> cycles;
        final LoadMeasurement measurement;
        final List<String> scheduling;
        final long firstClientId = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE - load.sessionCount());
        final long startNs;
        final long loadEndNs;
        final Path journalFile = folder.path().resolve("journal.bin");
        try (
            Transports transports = target.open(load);
            Journal journal = new Journal(journalFile);
            IntervalFiles files = new IntervalFiles(folder, start.toEpochMilli());
            CounterFiles counters = new CounterFiles(folder, new CounterSampler(true, cluster.hosts()));
            HostFiles hosts = new HostFiles(folder, cluster.hosts()))
        {
            final LoadAgent agent = new LoadAgent(
                load, options.schedule(load), transports.sessions().toArray(new Transport[0]),
                firstClientId, SystemNanoClock.INSTANCE, journal);
            final List<IntervalListener> listeners = new ArrayList<>(List.of(files, counters, hosts));
            listeners.addAll(LiveOptions.watchers(server, options, folder.path(), StoredRun.commandLine(spec)));
            final LoadRun run = new LoadRun(
                load, agent, options.threads.idleStrategy(), options.threads.agents(target.leaderCore(), true), listeners);
            final CompletableFuture<LoadMeasurement> measured =
                CompletableFuture.supplyAsync(
                    () -> run.execute(options.intervalNs), (task) -> new Thread(task, "load-run").start());
            say("warming up for " + options.warmUpNs / 1_000_000 + " ms");
            startNs = agent.awaitStartNs();
            sleepUntil(startNs + options.warmUpNs);
            cycles = new FailoverLab(
                plan, cluster, agent, startNs, load.ratePerSecond(), this::say, (cycle) -> keepEvidence(folder, cluster, cycle))
                .execute();
            Thread.interrupted();
            loadEndNs = System.nanoTime() - startNs;
            run.requestEnd();
            measurement = measured.join();
            scheduling = run.schedulingWords();
        }
        catch (final NotConnectedException ex)
        {
            if (interruption.isRequested())
            {
                return ExitCode.INTERRUPTED;
            }
            throw ex;
        }

        HostEvidence.write(folder, cluster.hosts());
        testCluster.stop();
        final AuditReport audit = audit(cluster, journalFile);
        final FailoverResult result = new FailoverResult(
            plan, cycles,
            CycleTimelines.read(journalFile, cycles, options.schedule(load), load, firstClientId, startNs, loadEndNs),
            measurement.outcome(), options.isExactlyOnce(), audit, cluster.config().outageBoundNs(),
            interruption.isRequested() && cycles.size() < plan.cycleCount());
        store(folder, target, load, measurement, scheduling, result, start);
        return result.isPartial() ? ExitCode.INTERRUPTED : result.reasons().isEmpty() ? ExitCode.GOOD : ExitCode.RUN_FAILED;
    }

    private AuditReport audit(final LocalCluster cluster, final Path journalFile)
    {
        // Logs of other hosts are far longer than a result: they are read here, and left there.
        final Path copies = cluster.config().baseDir().resolve("audited");
        try
        {
            if (cluster.inventory().isPresent())
            {
                say("fetching the members' logs");
            }
            cluster.members().forEach((member) -> member.statesHere(copies));
            final List<Path> dirs = cluster.members().stream().map((member) -> member.dirHere(copies)).toList();
            say("auditing the members' logs");
            return Auditor.audit(dirs, List.of(journalFile));
        }
        finally
        {
            IoUtil.delete(copies.toFile(), true);
        }
    }

    private void store(
        final ResultFolder folder,
        final Target target,
        final LoadPlan load,
        final LoadMeasurement measurement,
        final List<String> scheduling,
        final FailoverResult result,
        final Instant start)
    {
        final Map<String, String> configuration = options.effective(spec);
        configuration.put("threads", String.join("; ", scheduling));
        final RunDescription description = new RunDescription(
            options.label, start, StoredRun.commandLine(spec), configuration, target.settings(),
            target.durability(), target.placementWords(),
            Ceiling.messagesPerSecond((int)options.lengthBytes, CEILING_MEASURE_NS));
        final String path = folder.path().toString();
        final String json = FailoverJson.json(result, StoredRun.commandLine(spec), path);
        final String text = FailoverText.text(result, path);
        folder.write("failover.json", json);
        folder.write("failover.txt", text);
        folder.write("cycles.csv", FailoverJson.csv(result));
        folder.write("timeline.csv", FailoverJson.timelineCsv(result.timelines()));
        folder.write("audit.json", AuditJson.json(result.audit()));
        // The page is the last to be written: it shows what the other files hold.
        StoredRun.write(
            folder, description, load, measurement,
            Verdict.of(measurement, load.ratePerSecond(), options.thresholds, result.isPartial()),
            List.of(), options.baselines(), true);
        System.out.print(isJson ? json : text);
        System.out.flush();
    }

    private void check(final long longestNs)
    {
        options.clients.checkAlone("failover");
        options.check(longestNs);
        if (!TransportNames.isCluster(options.transport))
        {
            throw new InvalidSettingException("--transport", options.transport, "cluster, for a failover test");
        }
        if (null != options.endpoints)
        {
            throw new InvalidSettingException(
                "--endpoints", options.endpoints,
                "not given: a failover test works on a cluster of this machine (--cluster-dir)");
        }
        if (faults.contains(Fault.SCRIPT) == (null == faultScript))
        {
            throw new InvalidSettingException(
                "--fault-script", faultScript, "given with --fault script, and only with it");
        }
        for (final String victim : victims)
        {
            if (!isRandom && faults.contains(Fault.WIPE) && !FailoverPlan.isAllowed(Fault.WIPE, victim))
            {
                throw new InvalidSettingException(
                    "--victim", victim, "one member at a time with --fault wipe: what a majority acknowledged and lost is gone");
            }
            if (!VICTIMS.contains(victim) && !victim.matches("[0-9]{1,2}"))
            {
                throw new InvalidSettingException("--victim", victim, String.join(", ", VICTIMS) + ", or a member id");
            }
        }
    }

    private Settings settings()
    {
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL);
        timeouts.apply(settings);
        settings.put(NodeSettings.BASE_DIR.key(), options.clusterDir.toString(), "--cluster-dir");
        options.driver.tellMembers(settings);
        if (faults.contains(Fault.PARTITION))
        {
            settings.put(NodeSettings.FAULT_FILTER.key(), "true", "--fault partition");
        }
        settings.putAssignments(assignments, "--set");
        if (null != options.inventory())
        {
            options.inventory().tell(settings, null);
        }
        return settings;
    }

    private void keepEvidence(final ResultFolder folder, final LocalCluster cluster, final Cycle cycle)
    {
        final Path evidence = folder.path().resolve("cycle-" + cycle.number());
        try
        {
            Files.createDirectories(evidence);
            cluster.dumpStacks();
            Thread.sleep(500);
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
            throw new UncheckedIOException("cannot keep evidence in " + evidence, ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
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

    private static void sleepUntil(final long timeNs)
    {
        try
        {
            final long leftNs = timeNs - System.nanoTime();
            if (leftNs > 0)
            {
                Thread.sleep(leftNs / 1_000_000 + 1);
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void say(final String line)
    {
        if (!isQuiet)
        {
            System.err.println(line);
        }
    }
}
