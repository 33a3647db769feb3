package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.host.CpuList;
import io.clusterecho.testing.Need;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Injects what holds up threads: of the messages that it makes slow, nearly all must be charged to it for half of their time. */
@Tag("slow")
@Tag("alone")
class CausesIT
{
    private static final Path INSTANCES = Path.of("/sys/kernel/tracing/instances");
    private static final long RUN_TIMEOUT_NS = 180_000_000_000L;
    private static final long FAULT_NS = 1_000_000_000L;
    private static final int COLLECTIONS = 8;
    private static final long LONG_COLLECTION_NS = 10_000_000L;
    private static final double MOST = 0.95;
    /** It ends by itself: while it runs nothing else could end it. */
    private static final String HOG = "sleep 0.1; i=0; while [ $i -lt 2000000 ]; do i=$((i+1)); done";

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3);

    @TempDir
    private Path folder;

    @BeforeEach
    void checkTracing()
    {
        Need.tracefs();
    }

    @Test
    void shouldChargeAStopToTheLeader() throws IOException
    {
        start();
        final ClusterMember leader = cluster.awaitLeader();
        final RunningCommand client = run("--rate=1k");
        client.awaitProgress("measure");
        cluster.pause(leader);
        LockSupport.parkNanos(FAULT_NS);
        cluster.resume(leader);

        final JsonNode result = result(client);

        assertCharged(result, FAULT_NS / 2, 400, (cause) -> "STOPPED".equals(cause.get("state").asText()) &&
            ("member-" + leader.memberId() + " duty-cycle").equals(cause.path("thread").asText()) &&
            List.of("toLeaderNs", "logNs", "quorumNs").contains(cause.get("part").asText()));
        assertThat(result.at("/slowest/causes").toString()).contains("\"state\":\"STOPPED\"");
        try (Stream<Path> instances = Files.list(INSTANCES))
        {
            assertThat(instances).noneMatch((instance) -> instance.getFileName().toString().startsWith("cluster-echo-"));
        }
    }

    @Test
    void shouldNameWhatTookTheCore() throws IOException
    {
        start();
        final ClusterMember leader = cluster.awaitLeader();
        final RunningCommand client = run("--rate=1k");
        client.awaitProgress("measure");
        // The name of the program is that of its thread, from when it gets the core after it has slept.
        final Path hog = Files.createSymbolicLink(folder.resolve("hog"), Path.of("/bin/sh").toRealPath());
        final StringBuilder hogs = new StringBuilder();
        coresOf(leader).forEach((core) ->
            hogs.append(Need.TASKSET.program()).append(" -c ").append(core).append(' ').append(hog).append(" -c '").append(HOG)
            .append("' & "));
        // All are started in real time too: the first one would hold up the start of the next.
        new ProcessBuilder("chrt", "-f", "50", "/bin/sh", "-c", hogs + "wait").start().onExit().join();

        assertCharged(result(client), FAULT_NS / 4, 200, (cause) ->
            "WAITING".equals(cause.get("state").asText()) && "hog".equals(cause.path("holder").asText()));
    }

    @Test
    void shouldChargeCollectionsToTheLeader() throws IOException
    {
        start();
        final ClusterMember leader = cluster.awaitLeader();
        final RunningCommand client = run("--rate=20k");
        client.awaitProgress("measure");
        for (int i = 0; i < COLLECTIONS; i++)
        {
            new ProcessBuilder("jcmd", String.valueOf(leader.pid().orElseThrow()), "GC.run").start().onExit().join();
        }

        // Meanwhile its threads also take the core from others on the path.
        final String process = "member-" + leader.memberId();
        assertCharged(result(client), LONG_COLLECTION_NS, 100, (cause) ->
            cause.path("holder").asText().matches(process + " (VM Thread|GC Thread#.*)") ||
            "SAFEPOINT".equals(cause.get("state").asText()) && (process + " duty-cycle").equals(cause.path("thread").asText()));
    }

    /** The Java driver emulates it. */
    @Test
    @Tag("java-driver")
    void shouldChargeNoThreadWithTheTimeOnALink() throws IOException
    {
        final Path file = Files.writeString(folder.resolve("zones.properties"), """
            zones=outside,inside
            client=outside
            member.0=inside
            member.1=inside
            member.2=inside
            zone.outside.inside.delay=50ms
            zone.inside.outside.delay=400ms
            """);
        cluster.with("echo.placement", file.toString());
        start();

        // A busy machine delays threads meanwhile, which is possible, but not certain.
        assertCharged(result(run("--rate=100")), 400_000_000, 500, (cause) -> !cause.get("isCertain").asBoolean() ||
            List.of("RUNNING", "SLEEPING").contains(cause.get("state").asText()));
    }

    private void start()
    {
        cluster.with("echo.profile", "compact").with("echo.stages", "true").start();
    }

    private RunningCommand run(final String rate)
    {
        return cluster.startLoadClient(
            "run", "--causes", "--stages", rate, "--warm-up=3s", "--duration=6s", "--json", "--connect-timeout=60s",
            "--drain-timeout=20s", "--output=" + folder);
    }

    private static JsonNode result(final RunningCommand client)
    {
        final CommandResult result = client.await(RUN_TIMEOUT_NS);
        // 4 if a shared machine missed the rate; the cause must be named anyway.
        assertThat(result.exitCode()).as("%s", result).isIn(0, 4);
        return result.json();
    }

    /** Processors that the thread of a member may use. */
    private static List<String> coresOf(final ClusterMember member) throws IOException
    {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + member.pid().orElseThrow() + "/task")))
        {
            for (final Path task : tasks.toList())
            {
                final String status = Files.readString(task.resolve("status"));
                if (status.contains("\tduty-cycle\n"))
                {
                    return CpuList.parse(status.replaceFirst("(?s).*Cpus_allowed_list:\\s*(\\S+).*", "$1"))
                        .stream().map(String::valueOf).toList();
                }
            }
        }
        throw new AssertionError("no duty cycle");
    }

    private static void assertCharged(
        final JsonNode result, final long leastNs, final int leastCount, final Predicate<JsonNode> isRight) throws IOException
    {
        final JsonNode kept = new ObjectMapper().readTree(
            Path.of(result.get("resultFolder").asText()).resolve("slowest-messages.json").toFile()).get("slowestMessages");
        int count = 0;
        final List<JsonNode> others = new ArrayList<>();
        for (final JsonNode message : kept)
        {
            final List<JsonNode> causes = StreamSupport.stream(message.get("causes").spliterator(), false).toList();
            final long responseTimeNs = message.get("responseTimeNs").asLong();
            assertThat(timeNs(causes, (cause) -> true)).isEqualTo(responseTimeNs);
            count += responseTimeNs >= leastNs ? 1 : 0;
            if (responseTimeNs >= leastNs && timeNs(causes, isRight) < responseTimeNs / 2)
            {
                others.add(message);
            }
        }
        assertThat(count).isGreaterThanOrEqualTo(leastCount);
        assertThat(others.size()).as("of %d: %s", count, others).isLessThanOrEqualTo((int)((1 - MOST) * count));
    }

    private static long timeNs(final List<JsonNode> causes, final Predicate<JsonNode> isOf)
    {
        return causes.stream().filter(isOf).mapToLong((cause) -> cause.get("timeNs").asLong()).sum();
    }
}
