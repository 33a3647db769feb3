package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.agrona.IoUtil;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.cluster.TimeoutPreset;
import io.clusterecho.control.command.StatusReport;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.Settings;
import io.clusterecho.testing.FreePorts;

/**
 * A cluster of real processes for one test, with its own ports and folders and fast timeouts, stopped when the test ends. On
 * failure its logs, counters and stacks are kept in {@code target/evidence}. Each wait has a deadline and reports its condition
 * on timeout. Register it as an extension:
 * <pre>
 *   &#64;RegisterExtension
 *   private final EchoCluster cluster = new EchoCluster(3);
 * </pre>
 */
public final class EchoCluster implements BeforeEachCallback, AfterEachCallback
{
    static final Path ROOT = Path.of(System.getProperty("test.root", "..")).toAbsolutePath().normalize();
    private static final Path TARGET = Path.of(System.getProperty("test.target", "target")).toAbsolutePath().normalize();
    /** Driver of all members and clients: the tests are the same for each. */
    private static final String DRIVER = System.getProperty("test.driver", "java");
    /** Commands of the client that need no cluster. */
    private static final List<String> WITHOUT_DRIVER = List.of("audit", "calibrate");
    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(180);
    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long COMMAND_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(400);
    private static final long MAX_EVIDENCE_LENGTH = 16L << 20;
    /** These tests do not measure speed, and the C2 compiler would use two cores for the first ten seconds. */
    private static final String FIRST_COMPILER_ALONE = "-XX:TieredStopAtLevel=1";

    private final int memberCount;
    private String driver = DRIVER;
    private final List<String[]> assignments = new ArrayList<>();
    private String testName;
    private Path baseDir;
    private int basePort;
    private Cluster cluster;

    /**
     * A cluster, not started.
     *
     * @param memberCount number of members, 1 to 9.
     */
    public EchoCluster(final int memberCount)
    {
        this.memberCount = memberCount;
    }

    /**
     * Set a setting of all members, before the start.
     *
     * @param key   of the setting.
     * @param value as in a property file.
     * @return this for a fluent API.
     */
    public EchoCluster with(final String key, final String value)
    {
        assignments.add(new String[]{ key, value });
        if (null != cluster)
        {
            cluster = Cluster.of(settings(), launcher(), null);
        }
        return this;
    }

    /**
     * Let members wait 10 s for heartbeats, for a test without an election: a stall of the machine must not start one.
     *
     * @return this for a fluent API.
     */
    public EchoCluster withoutElections()
    {
        return with("echo.canvass.timeout", "20s").with("echo.heartbeat.timeout", "10s");
    }

    /**
     * Use a driver other than that of all tests, in members and clients, before the start.
     *
     * @param kind of the driver.
     * @return this for a fluent API.
     */
    public EchoCluster withDriver(final String kind)
    {
        driver = kind;
        return this;
    }

    /**
     * Use another launcher for members, before the start.
     *
     * @param launcher of members.
     * @return this for a fluent API.
     */
    public EchoCluster launchWith(final MemberLauncher launcher)
    {
        cluster = Cluster.of(settings(), launcher, null);
        return this;
    }

    @Override
    public void beforeEach(final ExtensionContext context)
    {
        testName = context.getRequiredTestClass().getSimpleName() + "." + context.getRequiredTestMethod().getName();
        basePort = FreePorts.block();
        baseDir = TARGET.resolve("clusters").resolve(testName + "-" + basePort);
        cluster = Cluster.of(settings(), launcher(), null);
        cluster.prepare(System.out::println);
    }

    @Override
    public void afterEach(final ExtensionContext context)
    {
        if (context.getExecutionException().isPresent())
        {
            keepEvidence();
        }

        cluster.backup().ifPresent((backup) ->
        {
            backup.kill();
            backup.awaitExit(STOP_TIMEOUT_NS);
            backup.cleanUp();
        });
        cluster.members().forEach(ClusterMember::kill);
        cluster.members().forEach((member) -> member.awaitExit(STOP_TIMEOUT_NS));
        cluster.members().forEach(ClusterMember::cleanUp);
        IoUtil.delete(baseDir.toFile(), true);
    }

    /**
     * Start those members that do not run, and wait until the cluster is ready.
     *
     * @return the members that were started.
     */
    public List<ClusterMember> start()
    {
        cluster.start(Deadline.in(START_TIMEOUT_NS), System.out::println);
        return cluster.startedLast();
    }

    /**
     * Wait for a leader.
     *
     * @return the member that leads.
     */
    public ClusterMember awaitLeader()
    {
        assertThat(Deadline.in(START_TIMEOUT_NS).await(() -> cluster.leader().isPresent()))
            .as("a leader was elected within %d s", TimeUnit.NANOSECONDS.toSeconds(START_TIMEOUT_NS)).isTrue();
        return cluster.leader().orElseThrow();
    }

    /** Wait until all members follow one leader and a message was echoed. */
    public void awaitEchoes()
    {
        assertThat(start()).as("members that did not run").isEmpty();
    }

    /**
     * Kill the leader with SIGKILL.
     *
     * @return the member that led.
     */
    public ClusterMember killLeader()
    {
        final ClusterMember leader = awaitLeader();
        kill(leader);
        return leader;
    }

    /**
     * Kill a member with SIGKILL, and wait until it has exited.
     *
     * @param member to kill.
     */
    public void kill(final ClusterMember member)
    {
        member.kill();
        assertThat(member.awaitExit(STOP_TIMEOUT_NS)).as("member %d ended after SIGKILL", member.memberId()).isTrue();
    }

    /**
     * Pause a member with SIGSTOP until {@link #resume(ClusterMember)}.
     *
     * @param member to pause.
     */
    public void pause(final ClusterMember member)
    {
        member.pause();
    }

    /**
     * Resume a paused member.
     *
     * @param member to resume.
     */
    public void resume(final ClusterMember member)
    {
        member.resume();
    }

    /**
     * Start a member whose data was deleted. After a purge it first gets what a fault of the lab gives it.
     *
     * @param wiped member that does not run.
     */
    public void startWiped(final ClusterMember wiped)
    {
        awaitLeader().seedAfterPurge().ifPresent(wiped::putSeed);
        assertThat(start()).containsExactly(wiped);
        assertThat(status().isHealthy()).isTrue();
    }

    /** Stop all members cleanly. */
    public void stop()
    {
        cluster.stop(Deadline.in(STOP_TIMEOUT_NS), System.out::println);
    }

    /** Any member but the leader. */
    public ClusterMember follower()
    {
        final ClusterMember leader = awaitLeader();
        return members().stream().filter((member) -> member != leader).findFirst().orElseThrow();
    }

    /** All members, in order of id. */
    public List<ClusterMember> members()
    {
        return cluster.members();
    }

    /** The cluster's API, for operations that this class does not have. */
    public Cluster local()
    {
        return cluster;
    }

    /** Status of all members. */
    public StatusReport status()
    {
        return StatusReport.of(cluster, null);
    }

    /** First port of this cluster's block. */
    public int basePort()
    {
        return basePort;
    }

    /**
     * Base folder of this cluster.
     *
     * @return an absolute path.
     */
    public Path baseDir()
    {
        return baseDir;
    }

    /**
     * Run a command of {@code cluster-node.jar} on this cluster, as a user would.
     *
     * @param name    of the command.
     * @param options of it; the base folder is added, and for start the settings of this cluster.
     * @return exit status and output.
     */
    public CommandResult command(final String name, final String... options)
    {
        final List<String> arguments = new ArrayList<>(List.of(name, "--base-dir", baseDir.toString()));
        if ("start".equals(name))
        {
            arguments.addAll(List.of(
                "--members", String.valueOf(memberCount), "--base-port", String.valueOf(basePort), "--timeouts", "fast"));
            arguments.addAll(List.of("--driver", driver));
            assignments.forEach((pair) -> arguments.addAll(List.of("--set", pair[0] + "=" + pair[1])));
        }
        arguments.addAll(List.of(options));
        return run("cluster-node.jar", arguments).await(COMMAND_TIMEOUT_NS);
    }

    /**
     * Run a load client on this cluster, as a user would.
     *
     * @param options of it; the cluster's folder is added.
     * @return exit status and output.
     */
    public CommandResult loadClient(final String... options)
    {
        return startLoadClient(options).await(COMMAND_TIMEOUT_NS);
    }

    /**
     * Start a load client on this cluster, as a user would.
     *
     * @param options of it; the cluster's folder is added.
     * @return the running process.
     */
    public RunningCommand startLoadClient(final String... options)
    {
        // Appended, because the first one may be a command.
        final List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of("--base-dir", baseDir.toString()));
        if (!WITHOUT_DRIVER.contains(options[0]))
        {
            arguments.addAll(List.of("--driver", driver));
            if (Stream.of(options).noneMatch((option) -> option.startsWith("--idle")))
            {
                // The members need the cores more than a client that yields.
                arguments.addAll(List.of("--idle", "sleep"));
            }
        }
        return run("load-client.jar", arguments);
    }

    /**
     * Run a command of the load client that needs no cluster, as a user would.
     *
     * @param options of it.
     * @return exit status and output.
     */
    public CommandResult loadClientAlone(final String... options)
    {
        return run("load-client.jar", List.of(options)).await(COMMAND_TIMEOUT_NS);
    }

    /** Check that no process and no file in shared memory of this cluster is left. */
    public void assertNothingIsLeft()
    {
        for (final ClusterMember member : members())
        {
            assertThat(member.pid()).as("pid of member %d", member.memberId()).isEmpty();
            assertThat(member.aeronDir()).doesNotExist();
        }

        final String memberOfThis = baseDir.resolve("settings.properties").toString();
        assertThat(ProcessHandle.allProcesses()
            .filter((process) -> process.info().commandLine().map((line) -> line.contains(memberOfThis)).orElse(false))
            .map(ProcessHandle::pid))
            .as("pids of processes with %s in their command line", memberOfThis).isEmpty();
    }

    private Settings settings()
    {
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL);
        TimeoutPreset.FAST.apply(settings);
        settings.put(NodeSettings.BASE_DIR.key(), baseDir.toString(), "test");
        settings.put(NodeSettings.BASE_PORT.key(), String.valueOf(basePort), "test");
        settings.put(
            NodeSettings.HOSTS.key(),
            IntStream.range(0, memberCount).mapToObj((id) -> "127.0.0.1").collect(Collectors.joining(",")), "test");
        settings.put(NodeSettings.DRIVER.kind().key(), driver, "test");
        assignments.forEach((pair) -> settings.put(pair[0], pair[1], "test"));
        return settings;
    }

    /** Starts members from the jar of the build. */
    static MemberLauncher launcher()
    {
        return new MemberLauncher(ROOT.resolve("cluster-node.jar"), ROOT.resolve(MemberLauncher.JVM_OPTIONS), List.of())
            .with(FIRST_COMPILER_ALONE);
    }

    private static RunningCommand run(final String jar, final List<String> arguments)
    {
        return RunningCommand.start(java(jar, arguments), TARGET);
    }

    /** The command that runs a jar of the build. */
    static List<String> java(final String jar, final List<String> arguments)
    {
        // As in a terminal, even if the tests run where these are ignored, as under nohup or in the background.
        final List<String> command = new ArrayList<>(List.of(
            "env", "--default-signal=HUP,INT",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-XX:-UsePerfData",
            FIRST_COMPILER_ALONE, "-jar", ROOT.resolve(jar).toString()));
        command.addAll(arguments);
        return command;
    }

    private void keepEvidence()
    {
        final Path evidence = TARGET.resolve("evidence").resolve(testName);
        try
        {
            IoUtil.delete(evidence.toFile(), true);
            Files.createDirectories(evidence);
            final StatusReport status = status();
            Files.writeString(evidence.resolve("status.json"), status.asJson(status.isHealthy()).toPrettyString());
            for (final ClusterMember member : members())
            {
                if (member.isAlive())
                {
                    final Path stacks = evidence.resolve("member-" + member.memberId() + ".stacks");
                    new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jstack").toString(),
                        String.valueOf(member.pid().orElseThrow()))
                        .redirectErrorStream(true).redirectOutput(stacks.toFile()).start().waitFor(10, TimeUnit.SECONDS);
                }
            }
            copyEvidence(evidence);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        System.out.println("evidence of " + testName + " is in " + evidence);
    }

    /** All files except segments of the log, which are preallocated. */
    private void copyEvidence(final Path evidence) throws IOException
    {
        if (!Files.isDirectory(baseDir))
        {
            return;
        }

        try (Stream<Path> paths = Files.walk(baseDir))
        {
            for (final Path path : paths.filter(Files::isRegularFile).toList())
            {
                if (!path.toString().endsWith(".rec") && Files.size(path) <= MAX_EVIDENCE_LENGTH)
                {
                    final Path copy = evidence.resolve(baseDir.relativize(path).toString());
                    Files.createDirectories(copy.getParent());
                    Files.copy(path, copy);
                }
            }
        }
    }
}
