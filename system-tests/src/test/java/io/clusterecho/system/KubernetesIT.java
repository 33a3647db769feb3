package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.control.member.Deadline;

/** The image and the manifests of Kubernetes, run by podman. Needs root, podman and kubectl. */
@Tag("slow")
@Tag("java-driver")
class KubernetesIT
{
    private static final String NAME = "cluster-echo";
    private static final String MEMBER = "member";
    private static final String CLIENT = "client";
    private static final int MEMBERS = 3;
    private static final Path RESULTS = EchoCluster.ROOT.resolve("system-tests/target/pods");
    /** Of the failover test, whose result remains. */
    private static final String CYCLES = System.getProperty("test.pods.cycles", "1");
    private static final int GOOD = 0;
    private static final int FAILED = 4;
    private static final int FIRST_ADDRESS = 10;
    private static final int MOVE = 10;
    private static final long READY_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final Path KUBERNETES = EchoCluster.ROOT.resolve("deploy/kubernetes");
    private static final String FAST = """
        echo.heartbeat.timeout=2s
        echo.heartbeat.interval=100ms
        echo.election.timeout=500ms
        echo.election.status.interval=50ms
        echo.canvass.timeout=10s
        """;

    @TempDir
    private static Path dir;
    private static Pods pods;

    /** For each test, so that each is listed if it is skipped. */
    @BeforeEach
    void build() throws IOException
    {
        if (null == pods)
        {
            // Skips the test without it, before anything is made.
            Manifests.of("members");
            final Pods made = new Pods(dir);
            made.build();
            pods = made;
        }
        pods.check();
    }

    @AfterAll
    static void delete()
    {
        if (null != pods)
        {
            pods.close();
        }
    }

    @AfterEach
    void deletePods()
    {
        if (null != pods)
        {
            pods.deleteAll();
        }
    }

    @Test
    void shouldServeAClientAndFindMembersThatComeBackWithOtherAddresses() throws IOException
    {
        final ObjectNode member = playMembers();
        final long before = runClient("before");

        for (int id = 0; id < MEMBERS; id++)
        {
            pods.kill(name(id), MEMBER);
            pods.play(name(id), member, FIRST_ADDRESS + MOVE + id);
            awaitReady(member);
            assertThat(status(id).get("commitPosition").asLong()).as("it has its log").isGreaterThanOrEqualTo(before);
        }
        assertThat(runClient("after")).isGreaterThan(before);

        for (int id = 0; id < MEMBERS; id++)
        {
            pods.stop(name(id), MEMBER, member.at("/spec/terminationGracePeriodSeconds").asInt());
            assertThat(pods.await(name(id), MEMBER)).as(pods.log(name(id), MEMBER)).isZero();
            assertThat(pods.log(name(id), MEMBER)).contains("member " + id + " stopped, exit 0 (stopped on request)");
            pods.delete(name(id));
        }
    }

    /** The members of the manifests, with short timeouts; the template of their pods. */
    private static ObjectNode playMembers() throws IOException
    {
        final Manifests manifests = Manifests.of("members");
        final ObjectNode settings = (ObjectNode)manifests.object("ConfigMap", NAME).get("data");
        settings.put("cluster.properties", settings.get("cluster.properties").asText() + FAST);
        pods.use(manifests);
        final ObjectNode member = manifests.template("StatefulSet", NAME);
        for (int id = 0; id < MEMBERS; id++)
        {
            pods.play(name(id), member, FIRST_ADDRESS + id);
        }
        awaitReady(member);
        return member;
    }

    @Test
    void shouldFindNothingLostAfterThePodOfTheLeaderWasKilled() throws IOException
    {
        playMembers();
        final CommandResult result = runOutside("lab", List.of(
            "failover", "--egress", Pods.address(1) + ":0", "--fault", "script", "--fault-script",
            KUBERNETES.resolve("lab/faults.sh").toString(), "--victim", "leader", "--cycles", CYCLES, "--limit", "120s"));

        final JsonNode test = result.json();
        assertThat(test.path("cycles")).as("%s", result).hasSize(Integer.parseInt(CYCLES));
        for (final JsonNode cycle : test.get("cycles"))
        {
            assertThat(cycle.get("recovered").asBoolean()).as("%s", result).isTrue();
            assertThat(cycle.get("victim")).hasSize(1);
            assertThat(cycle.get("victim").get(0)).isEqualTo(cycle.get("leaderBefore"));
            assertThat(cycle.get("leaderAfter")).isNotEqualTo(cycle.get("leaderBefore"));
            assertThat(cycle.get("outageNs").asLong()).isPositive();
            assertThat(cycle.get("electionEndNs").asLong()).isPositive();
            assertThat(cycle.get("victimCaughtUpNs").asLong()).isPositive();
        }
        assertThat(test.at("/audit/clean").asBoolean()).as("%s", result).isTrue();
        assertThat(test.get("acknowledgedLost").asLong()).isZero();
        assertThat(test.get("acknowledged").asLong()).isPositive();
    }

    @Test
    void shouldSendOneScheduleFromSeveralPods() throws IOException
    {
        playMembers();
        final ObjectNode worker = Manifests.of("workers").template("StatefulSet", "cluster-echo-worker");
        for (int id = 0; id < 2; id++)
        {
            pods.play("cluster-echo-worker-" + id, worker, FIRST_ADDRESS + 4 * MOVE + id);
        }
        final CommandResult result = runOutside("workers", List.of("run", "--duration", "5s"));

        final JsonNode run = result.json();
        assertThat(run.path("scheduled").asLong()).as("%s", result).isEqualTo(1_000);
        assertThat(run.get("answered").asLong() + run.get("late").asLong()).as("%s", result).isEqualTo(1_000);
        assertThat(run.at("/configuration/clients").asText()).isEqualTo("2");
    }

    /** Run a load client outside of the pods, where it finds their names in a file, and the same credentials. */
    private static CommandResult runOutside(final String manifests, final List<String> arguments) throws IOException
    {
        final Path work = Files.createDirectory(dir.resolve("outside-" + manifests));
        final Path credentials = Path.of("/run/cluster-echo/credentials");
        assertThat(credentials).as("a file that is not of this test: move it away").doesNotExist();
        final boolean isFolderMade = Files.notExists(credentials.getParent());
        Files.createDirectories(credentials.getParent());
        Files.createFile(credentials, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try
        {
            Files.writeString(credentials, Pods.CREDENTIALS);
            final List<String> command = new ArrayList<>(List.of(
                "env", "PATH=" + KUBERNETES.resolve("lab") + ":" + pods.kubectl() + ":" + System.getenv("PATH"), "FAULT=kill",
                "java", "-XX:TieredStopAtLevel=1", "-Djdk.net.hosts.file=" + pods.names(), "-jar",
                EchoCluster.ROOT.resolve("load-client.jar").toString()));
            command.addAll(arguments);
            command.addAll(List.of(
                "--inventory", KUBERNETES.resolve(manifests).resolve("inventory.properties").toString(), "--base-dir",
                work.resolve("data").toString(), "--output", RESULTS.toString(), "--credentials-file",
                credentials.toString(), "--rate", "200", "--warm-up", "3s", "--json"));
            return RunningCommand.start(command, work.resolve("output")).await(TimeUnit.SECONDS.toNanos(400));
        }
        finally
        {
            Files.delete(credentials);
            if (isFolderMade)
            {
                Files.delete(credentials.getParent());
            }
        }
    }

    @Test
    void shouldRefuseAPodWithTooLittleSharedMemory() throws IOException
    {
        final Manifests manifests = Manifests.of("members");
        pods.use(manifests);
        final ObjectNode member = manifests.template("StatefulSet", NAME);
        member.at("/spec/volumes").forEach((volume) ->
        {
            if ("shared-memory".equals(volume.get("name").asText()))
            {
                ((ObjectNode)volume.get("emptyDir")).put("sizeLimit", "64Mi");
            }
        });

        pods.play(name(0), member, FIRST_ADDRESS + 2 * MOVE);

        assertThat(pods.await(name(0), MEMBER)).isEqualTo(2);
        assertThat(pods.log(name(0), MEMBER)).containsPattern("has 64 MB: enlarge it .*; for a pod: sizeLimit: 1Gi");
        pods.delete(name(0));
    }

    private static String name(final int id)
    {
        return NAME + "-" + id;
    }

    /** Wait until the probes of all members hold. */
    private static void awaitReady(final ObjectNode member)
    {
        final List<String> probe = new ArrayList<>();
        member.at("/spec/containers/0/readinessProbe/exec/command").forEach((word) -> probe.add(word.asText()));
        for (int id = 0; id < MEMBERS; id++)
        {
            final String pod = name(id);
            final CommandResult[] last = new CommandResult[1];
            assertThat(Deadline.in(READY_TIMEOUT_NS).await(() ->
            {
                last[0] = pods.exec(pod, MEMBER, probe);
                return 0 == last[0].exitCode();
            })).as("%s is ready: %s%n%s", pod, last[0], pods.log(pod, MEMBER)).isTrue();
        }
    }

    private static JsonNode status(final int id)
    {
        return pods.exec(name(id), MEMBER, List.of(
            "java", "-XX:TieredStopAtLevel=1", "-jar", "/opt/cluster-echo/cluster-node.jar", "status", "--base-dir", "/data",
            "--member-id", String.valueOf(id), "--json")).json().at("/members/0");
    }

    /** Run the Job of the client for some seconds, and check its result; the commit position afterwards. */
    private static long runClient(final String label) throws IOException
    {
        final ObjectNode client = Manifests.of("client").template("Job", NAME);
        final ArrayNode arguments = (ArrayNode)client.at("/spec/containers/0/args");
        for (int i = 0; i < arguments.size(); i++)
        {
            arguments.set(i, arguments.get(i).asText().replaceFirst("^--rate=.*", "--rate=200")
                .replaceFirst("^--warm-up=.*", "--warm-up=2s").replaceFirst("^--duration=.*", "--duration=5s")
                .replaceFirst("^--label=.*", "--label=" + label));
        }
        final String pod = NAME + "-client-" + label;
        pods.play(pod, client, FIRST_ADDRESS + 3 * MOVE);
        final int exitCode = pods.await(pod, CLIENT);
        // A busy machine misses the rate, but nothing may be missing.
        assertThat(exitCode).as(pods.log(pod, CLIENT)).isIn(GOOD, FAILED);
        assertThat(pods.log(pod, CLIENT)).contains("= answered 1,000 + late 0 + unanswered 0 + never sent 0")
            .contains("duplicates 0, out of order 0;", "corrupt 0, ").contains("results in /data/results/");
        pods.delete(pod);
        try (Stream<Path> results = Files.list(pods.volumeOf("cluster-echo-results")))
        {
            assertThat(results.map((folder) -> folder.getFileName().toString())).anyMatch((name) -> name.contains(label));
        }
        return status(0).get("commitPosition").asLong();
    }
}
