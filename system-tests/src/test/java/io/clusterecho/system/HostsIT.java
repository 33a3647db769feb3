package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.testing.Need;

/**
 * Five emulated hosts, network namespaces with an sshd each: deploys the distribution, runs a cluster with credentials and two
 * clients, searches the highest rate, disconnects and reconnects the leader's host, runs a sweep that starts its own clusters,
 * fetches results, and checks that nothing is left behind. Needs root, iproute2, sshd, and ansible-playbook in PATH or named by
 * ANSIBLE_PLAYBOOK. The host of the second client also runs the backup.
 */
@Tag("slow")
class HostsIT
{
    private static final long COMMAND_TIMEOUT_NS = 300_000_000_000L;
    private static final int NO_SESSION = 3;
    private static final int MISSED = 4;
    private static final Path LAB = EchoCluster.ROOT.resolve("scripts/hosts-lab.sh");
    private static final Path ANSIBLE = EchoCluster.ROOT.resolve("deploy/ansible");
    private static final Path NAMESPACES = Path.of("/run/netns");
    private static final List<String> MEMBER_HOSTS = List.of("alpha", "beta", "gamma");
    private static final String PINNED_HOST = "alpha";

    @TempDir
    private Path dir;

    private final String prefix = "hosts" + ProcessHandle.current().pid();
    private Path ansible;
    private Path lab;
    private Path distribution;

    @BeforeEach
    void makeHosts()
    {
        Need.root();
        Need.IP.program();
        Need.SSHD.program();
        ansible = ansible();
        lab = dir.resolve("lab");
        distribution = lab.resolve("delta/cluster-echo");
        succeed("up", lab.toString());
    }

    @AfterEach
    void removeHosts()
    {
        if (null == lab || !Files.exists(lab))
        {
            return;
        }
        if (Files.exists(distribution.resolve("scripts")))
        {
            command("exec", distribution.resolve("scripts/stop-cluster.sh").toString(), "--base-dir", baseDir());
        }
        assertThat(command("down", lab.toString()).exitCode()).isZero();
    }

    @Test
    void shouldMeasureAClusterOnFiveHostsAndLeaveNothingBehind() throws IOException
    {
        final Path inventory = lab.resolve("inventory.properties");
        Files.writeString(inventory, "host." + PINNED_HOST + ".cores=0\n", StandardOpenOption.APPEND);
        Files.writeString(credentials(), "echo:a secret of this test\n");
        Files.setPosixFilePermissions(credentials(), PosixFilePermissions.fromString("rw-------"));
        play("deploy.yml", "-e", "archive=" + archive());
        start(inventory);
        assertHostIsPinned();
        assertStrangersAreRefused();

        // Five hosts share the cores of one machine: a rate may be missed, but every message is answered.
        final JsonNode result = client(
            List.of(0, MISSED), "--inventory", inventory.toString(), "--json", "--rate", "200", "--duration", "4s",
            "--warm-up", "2s", "--connect-timeout", "60s", "--drain-timeout", "20s", "--label", "five-hosts").json();
        final Path run = result("five-hosts");
        assertThat(result.get("scheduled").asLong()).isEqualTo(800);
        assertThat(result.get("answered").asLong() + result.get("late").asLong()).as("%s", result).isEqualTo(800);
        assertHostsAreIn(run);
        assertThat(run.resolve("counters.csv")).content()
            .contains(",member-0,", ",member-1,", ",member-2,", ",client-0,", ",client-1,", ",backup,");
        assertBackupIsWatched(run);

        client(
            "max-rate", "--inventory", inventory.toString(), "--slo", "p99<10s", "--rate", "50", "--highest", "100",
            "--lowest", "10", "--warm-up", "1s", "--duration", "3s", "--later-warm-up", "500ms",
            "--pass", "50%", "--pause", "100ms", "--connect-timeout", "60s",
            "--drain-timeout", "20s", "--label", "highest");
        final JsonNode search = new ObjectMapper().readTree(result("highest").resolve("max-rate.json").toFile());
        // The maximum of the search, or what a machine with so many processes sustains.
        assertThat(search.at("/answer/ratePerSecond").asLong()).as("%s", search.get("answer")).isBetween(10L, 100L);

        failOver();
        startAgain(inventory);

        play("collect.yml", "-e", "into=" + Files.createDirectory(dir.resolve("collected")));
        assertCollected();
        succeed(
            "exec", distribution.resolve("scripts/stop-cluster.sh").toString(), "--base-dir", baseDir(), "--delete-data");

        sweep(inventory);
        sweepOfAnotherSystem(inventory);

        play("clean.yml");
        assertNothingIsLeft();
    }

    private void failOver() throws IOException
    {
        final CommandResult test = client(
            List.of(0, MISSED), "failover", "--fault", "script", "--fault-script", LAB.toString(), "--victim", "leader",
            "--cycles", "1", "--return-after", "6s", "--delivery", "exactly-once", "--rate", "200", "--warm-up", "2s",
            "--limit", "120s", "--drain-timeout", "60s", "--connect-timeout", "60s", "--label", "cut-off", "--json");
        final Path failover = result("cut-off");
        assertHostsAreIn(failover);
        final JsonNode json = test.json();
        // Thirteen processes share the cores of this machine, and one that stalls for half a second is a reason.
        assertThat(json.at("/verdict/reasons")).allSatisfy(
            (reason) -> assertThat(reason.asText()).startsWith("the client stalled for "));
        assertThat(json.at("/audit/clean").asBoolean()).as("%s", json.at("/audit/findings")).isTrue();
        assertThat(json.get("acknowledgedLost").asLong()).isZero();
        assertThat(json.get("acknowledged").asLong()).isPositive();
        final JsonNode cycle = json.at("/cycles/0");
        assertThat(cycle.get("recovered").asBoolean()).as("%s", cycle).isTrue();
        assertThat(cycle.get("newLeaders")).as("%s", cycle).isNotEmpty();
        // It was really disconnected: the others missed its heartbeats and elected another leader.
        assertThat(cycle.get("outageNs").asLong()).as("%s", cycle).isGreaterThan(1_500_000_000L);
    }

    private void assertBackupIsWatched(final Path run) throws IOException
    {
        final JsonNode backup = new ObjectMapper().readTree(run.resolve("manifest.json").toFile()).get("backup");
        assertThat(backup).as("its lag behind members on other hosts").isNotNull();
        final CommandResult status = node("status");
        assertThat(status.out()).contains("backup    on host epsilon pid ", "copies the log");
        assertThat(lab.resolve("epsilon/data/cluster/backup/archive")).isDirectory();
    }

    private void start(final Path inventory)
    {
        succeed(
            "exec", distribution.resolve("scripts/start-cluster.sh").toString(), "--inventory", inventory.toString(),
            "--base-dir", baseDir(), "--timeouts", "fast", "--backup", "--set", "echo.credentials.file=" + credentials(),
            "--deadline", "120s");
    }

    private void startAgain(final Path inventory)
    {
        JsonNode follower = null;
        for (final JsonNode member : node("status", "--json").json().get("members"))
        {
            follower = "follower".equals(member.path("role").asText()) ? member : follower;
        }
        assertThat(follower).isNotNull();
        ProcessHandle.of(follower.get("pid").asLong()).orElseThrow().destroyForcibly();
        start(inventory);
        node("status");
    }

    private CommandResult node(final String command, final String... options)
    {
        final List<String> all = new ArrayList<>(List.of(
            "exec", Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar",
            distribution.resolve("cluster-node.jar").toString(), command, "--base-dir", baseDir()));
        all.addAll(List.of(options));
        final CommandResult result = command(all.toArray(new String[0]));
        assertThat(result.exitCode()).as("%s", result).isZero();
        return result;
    }

    private void sweep(final Path inventory) throws IOException
    {
        final Path plan = Files.write(dir.resolve("two.properties"), List.of(
            "size=32,288", "rate=100", "repeats=1", "duration=3s", "warm-up=1s", "cluster-warm-up=3s"));
        client(
            List.of(0, MISSED), "matrix", plan.toString(), "--inventory", inventory.toString(),
            "--set", "echo.credentials.file=" + credentials(),
            "--connect-timeout", "60s", "--drain-timeout", "20s", "--label", "sweep");
        final Path sweep = result("sweep");
        final JsonNode json = new ObjectMapper().readTree(sweep.resolve("sweep.json").toFile());
        assertThat(json.get("runs")).hasSize(2);
        for (final JsonNode run : json.get("runs"))
        {
            assertThat(run.at("/responseTimeNs/count").asLong()).as("%s", run).isPositive();
            assertThat(run.get("unanswered").asLong()).as("%s", run).isZero();
            assertHostsAreIn(sweep.resolve(run.get("folder").asText()));
        }
    }

    /** Its server is on the host with the role peer, and has ended afterwards. */
    private void sweepOfAnotherSystem(final Path inventory) throws IOException
    {
        final Path plan = Files.write(dir.resolve("alone.properties"), List.of(
            "transport=aeron-udp,grpc", "size=32", "rate=100", "repeats=1", "duration=3s", "warm-up=1s", "cluster-warm-up=3s"));
        final CommandResult result = command(
            "exec", Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar",
            distribution.resolve("peers.jar").toString(), "matrix", plan.toString(), "--inventory", inventory.toString(),
            "--base-dir", dir.resolve("alone").toString(), "--output", dir.resolve("results").toString(), "--label", "alone");
        assertThat(result.exitCode()).as("%s", result).isIn(0, MISSED);
        final JsonNode runs =
            new ObjectMapper().readTree(result("alone").resolve("sweep.json").toFile()).get("runs");
        assertThat(runs).hasSize(2).allSatisfy((run) ->
        {
            assertThat(run.at("/responseTimeNs/count").asLong()).as("%s", run).isPositive();
            assertThat(Files.readString(result("alone").resolve(run.get("folder").asText()).resolve("manifest.json")))
                .contains("10.231.17.");
        });
        assertThat(ProcessHandle.allProcesses().map((one) -> one.info().commandLine().orElse(""))
            .filter((line) -> line.contains("peers.jar") && line.contains(lab.toString()))).isEmpty();
    }

    private void assertNothingIsLeft() throws IOException
    {
        for (final String host : MEMBER_HOSTS)
        {
            assertThat(lab.resolve(host).resolve("cluster-echo")).doesNotExist();
            assertThat(lab.resolve(host).resolve("data")).doesNotExist();
        }
        for (int id = 0; id < MEMBER_HOSTS.size(); id++)
        {
            final Path data = lab.resolve(MEMBER_HOSTS.get(id)).resolve("data");
            assertThat(NodeConfig.defaultAeronDir(data.resolve("cluster"), id)).doesNotExist();
            assertThat(NodeConfig.defaultAeronDir(data.resolve("matrix"), id)).doesNotExist();
        }

        succeed("down", lab.toString());
        assertThat(lab).doesNotExist();
        try (Stream<Path> left = Files.list(NAMESPACES))
        {
            assertThat(left.filter((name) -> name.getFileName().toString().startsWith(prefix))).isEmpty();
        }
    }

    /** Check that all processes on the pinned host, including the agent, run on its core. */
    private void assertHostIsPinned() throws IOException
    {
        final List<String> cores = new ArrayList<>();
        // Not ssh, whose command line contains that of the agent.
        for (final ProcessHandle process : ProcessHandle.allProcesses()
            .filter((one) -> one.info().command().orElse("").endsWith("java")).toList())
        {
            final Path folder = Path.of("/proc", String.valueOf(process.pid()));
            try
            {
                final String command = Files.readString(folder.resolve("cmdline"), StandardCharsets.ISO_8859_1);
                if (command.contains(lab.resolve(PINNED_HOST).toString()) && command.contains("cluster-node.jar"))
                {
                    Files.readAllLines(folder.resolve("status")).stream()
                        .filter((line) -> line.startsWith("Cpus_allowed_list:")).forEach(cores::add);
                }
            }
            catch (final NoSuchFileException ex)
            {
                // It has exited meanwhile.
            }
        }
        assertThat(cores).isNotEmpty().allMatch((line) -> line.matches("Cpus_allowed_list:\\s+0"));
    }

    private void assertStrangersAreRefused()
    {
        final CommandResult stranger = command(
            "exec", Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar",
            distribution.resolve("load-client.jar").toString(), "--clients", "1", "--rate", "100", "--duration", "1s",
            "--warm-up", "1s", "--connect-timeout", "10s", "--base-dir", baseDir(), "--output",
            dir.resolve("refused").toString());
        assertThat(stranger.exitCode()).as("%s", stranger).isEqualTo(NO_SESSION);
    }

    private void assertCollected() throws IOException
    {
        final Path hosts = dir.resolve("collected/hosts");
        for (final String host : MEMBER_HOSTS)
        {
            final Path cluster = hosts.resolve(host).resolve("cluster");
            final int id = MEMBER_HOSTS.indexOf(host);
            assertThat(cluster.resolve("settings.properties")).isNotEmptyFile();
            assertThat(cluster.resolve("member-" + id).resolve("member.log")).content()
                .contains("member " + id + " is ready");
        }
        // Hosts without a member too.
        for (final String host : List.of("alpha", "delta", "epsilon"))
        {
            assertThat(hosts.resolve(host).resolve("host.txt")).content().contains("processor", "MemTotal", "10.231.17.");
        }
    }

    private static void assertHostsAreIn(final Path result) throws IOException
    {
        for (int id = 0; id < MEMBER_HOSTS.size(); id++)
        {
            final Path host = result.resolve("hosts").resolve(MEMBER_HOSTS.get(id));
            assertThat(host.resolve("environment.json")).content().contains("cpuModel", "clock");
            // A header and several intervals.
            assertThat(Files.readAllLines(host.resolve("machine.csv"))).hasSizeGreaterThan(3)
                .first().asString().contains("idle_ms");
            assertThat(host.resolve("member-" + id + ".log")).content().contains("member " + id + " is ready");
        }
    }

    private CommandResult client(final String... options)
    {
        return client(List.of(0), options);
    }

    private CommandResult client(final List<Integer> allowedExitCodes, final String... options)
    {
        final List<String> command = new ArrayList<>(List.of(
            "exec", Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar",
            distribution.resolve("load-client.jar").toString()));
        command.addAll(List.of(options));
        command.addAll(List.of(
            "--credentials-file", credentials().toString(), "--base-dir", baseDir(), "--output",
            dir.resolve("results").toString()));
        final CommandResult result = command(command.toArray(new String[0]));
        assertThat(result.exitCode()).as("%s", result).isIn(allowedExitCodes);
        return result;
    }

    private Path credentials()
    {
        return dir.resolve("credentials");
    }

    private Path result(final String label) throws IOException
    {
        try (Stream<Path> folders = Files.list(dir.resolve("results")))
        {
            return folders.filter((folder) -> folder.getFileName().toString().endsWith(label)).findFirst()
                .orElseThrow(() -> new AssertionError("no result " + label));
        }
    }

    private String baseDir()
    {
        return dir.resolve("cluster").toString();
    }

    private void play(final String playbook, final String... options)
    {
        final List<String> command = new ArrayList<>(List.of(
            "exec", "env", "CLUSTER_ECHO_INVENTORY=" + lab.resolve("inventory.properties"),
            "ANSIBLE_CONFIG=" + ANSIBLE.resolve("ansible.cfg"), "ANSIBLE_HOME=" + dir.resolve("ansible"),
            "ANSIBLE_REMOTE_TMP=" + dir.resolve("ansible/remote"), "LC_ALL=C.UTF-8",
            // Otherwise ssh connections, which stay open for a minute, would keep the namespaces in use.
            "ANSIBLE_SSH_ARGS=-o ControlMaster=no", ansible.toString(),
            ANSIBLE.resolve(playbook).toString()));
        command.addAll(List.of(options));
        succeed(command.toArray(new String[0]));
    }

    private static Path archive() throws IOException
    {
        final Path target = EchoCluster.ROOT.resolve("distribution/target");
        try (Stream<Path> files = Files.isDirectory(target) ? Files.list(target) : Stream.empty())
        {
            return files.filter((file) -> file.toString().endsWith(".tar.gz")).findFirst()
                .orElseThrow(() -> new AssertionError("no archive in " + target + ": mvn package -pl distribution -am"));
        }
    }

    private void succeed(final String... options)
    {
        final CommandResult result = command(options);
        assertThat(result.exitCode()).as("%s: %s", List.of(options), result).isZero();
    }

    private CommandResult command(final String... options)
    {
        final List<String> command = new ArrayList<>(List.of("env", "NETNS_PREFIX=" + prefix, LAB.toString()));
        command.addAll(List.of(options));
        return RunningCommand.start(command, dir).await(COMMAND_TIMEOUT_NS);
    }

    private static Path ansible()
    {
        final String named = System.getenv("ANSIBLE_PLAYBOOK");
        return null != named ? Path.of(named) : Need.ANSIBLE.program();
    }
}
