package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
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
    private static final long GAP_NS = 300_000_000L;
    /** Half of most collections here. */
    private static final long COLLECTION_NS = 8_000_000L;
    private static final double MOST = 0.95;
    /** Its end in epoch ms, and its length in ns. */
    private static final Pattern SAFEPOINT = Pattern.compile("\\[([0-9]+)ms] *Safepoint .* Total: *([0-9]+) ns");
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
        final String pid = String.valueOf(leader.pid().orElseThrow());
        final Path safepoints = folder.resolve("safepoints.log");
        // It also makes the JVM listen. Later ones would themselves take the cores of the path.
        new ProcessBuilder("jcmd", pid, "VM.log output=" + safepoints + " what=safepoint decorators=timemillis").start()
            .onExit().join();
        final RunningCommand client = run("--rate=5k");
        client.awaitProgress("measure");
        for (int i = 0; i < COLLECTIONS; i++)
        {
            collect(UnixDomainSocketAddress.of("/tmp/.java_pid" + pid));
            LockSupport.parkNanos(GAP_NS);
        }

        final JsonNode result = result(client);
        final double startMs = startMs(Path.of(result.get("resultFolder").asText()));
        final List<MatchResult> collections = SAFEPOINT.matcher(Files.readString(safepoints)).results().toList();
        // A message was held up by what was left of a collection when it was due.
        final ToDoubleFunction<JsonNode> held = (message) ->
        {
            final double dueMs = startMs + message.get("dueNs").asLong() / 1e6;
            return collections.stream().mapToDouble((one) ->
            {
                final double leftNs = 1e6 * (Long.parseLong(one.group(1)) - dueMs);
                return leftNs <= Long.parseLong(one.group(2)) ? leftNs : 0;
            }).max().orElse(0);
        };
        // Meanwhile threads of the collection also take the core from others on the path.
        final String process = "member-" + leader.memberId();
        assertCharged(result, held, COLLECTION_NS, 100, (cause) ->
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

    /** As jcmd does, without the start of another JVM; returns after the collection. */
    private static void collect(final UnixDomainSocketAddress jvm) throws IOException
    {
        try (SocketChannel channel = SocketChannel.open(jvm))
        {
            channel.write(ByteBuffer.wrap("1\0jcmd\0GC.run\0\0\0".getBytes(StandardCharsets.US_ASCII)));
            assertThat(Channels.newReader(channel, StandardCharsets.US_ASCII).read()).isEqualTo('0');
        }
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

    /** When the schedule began, in epoch ms: the begin of a row in a log, which is absolute, less that in the table. */
    private static double startMs(final Path folder) throws IOException
    {
        final String log = Files.readString(folder.resolve("stall.hlog"));
        final String first = log.lines().filter((line) -> line.matches("[0-9].*")).findFirst().orElseThrow();
        final String row = Files.readAllLines(folder.resolve("intervals.csv")).get(1);
        return 1e3 * (Double.parseDouble(log.replaceFirst("(?s).*#\\[StartTime: ([0-9.]+).*", "$1")) +
            Double.parseDouble(first.split(",")[0]) - Double.parseDouble(row.split(",")[0]));
    }

    private static void assertCharged(
        final JsonNode result, final long leastNs, final int leastCount, final Predicate<JsonNode> isRight) throws IOException
    {
        assertCharged(result, (message) -> message.get("responseTimeNs").asLong(), leastNs, leastCount, isRight);
    }

    /** Of messages that were held up for so long, in ns, nearly all are charged for half of it. */
    private static void assertCharged(
        final JsonNode result,
        final ToDoubleFunction<JsonNode> held,
        final long leastNs,
        final int leastCount,
        final Predicate<JsonNode> isRight) throws IOException
    {
        final JsonNode kept = new ObjectMapper().readTree(
            Path.of(result.get("resultFolder").asText()).resolve("slowest-messages.json").toFile()).get("slowestMessages");
        int count = 0;
        final List<JsonNode> others = new ArrayList<>();
        for (final JsonNode message : kept)
        {
            final List<JsonNode> causes = StreamSupport.stream(message.get("causes").spliterator(), false).toList();
            assertThat(timeNs(causes, (cause) -> true)).isEqualTo(message.get("responseTimeNs").asLong());
            final double heldNs = Math.min(held.applyAsDouble(message), message.get("responseTimeNs").asLong());
            count += heldNs >= leastNs ? 1 : 0;
            if (heldNs >= leastNs && timeNs(causes, isRight) < heldNs / 2)
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
