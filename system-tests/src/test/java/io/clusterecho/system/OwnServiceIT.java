package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import com.fasterxml.jackson.databind.JsonNode;

import org.agrona.concurrent.UnsafeBuffer;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.EgressListener;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.node.config.MemberEndpoints;

/** Members with a service that is not ours, twice: the example's, which answers a request with its number and a count. */
@Tag("slow")
class OwnServiceIT
{
    private static final Path EXAMPLE = EchoCluster.ROOT.resolve("examples/counter/CounterService.java");
    private static final String SERVICE = "com.example.counter.CounterService";
    private static final int REQUEST_COUNT = 20;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3);

    @TempDir
    private Path classes;

    @ParameterizedTest
    @ValueSource(strings = { "compact", "shared" })
    void shouldRunTwoServicesWithTheirSnapshotsThroughAKillAndARestart(final String profile)
    {
        compile(EXAMPLE);
        final String[] options = {
            "--class-path", classes.toString(), "--set", "echo.service.class=" + SERVICE + "," + SERVICE, "--profile", profile };
        final CommandResult start = cluster.command("start", options);
        assertThat(start.exitCode()).as("%s", start).isZero();
        assertThat(start.out()).containsPattern("to load .* run .* --messages \\.\\.\\.\n");
        assertCounted(0);
        assertThat(cluster.command("status").out()).contains("  distinct errors  ", "cannot be compared by checksum");

        assertThat(cluster.command("snapshot").exitCode()).isZero();
        assertThat(cluster.members()).allSatisfy((member) ->
            assertThat(member.storage().snapshots()).singleElement().satisfies((snapshot) ->
            assertThat(snapshot.recordingIds()).as("consensus module and two services").hasSize(3)));
        assertCounted(1);

        final ClusterMember killed = cluster.killLeader();
        // Until the others elect, they send clients to the dead leader.
        cluster.awaitLeader();
        assertCounted(2);
        assertThat(cluster.command("start", options).exitCode()).isZero();
        assertThat(cluster.awaitLeader().memberId()).isNotEqualTo(killed.memberId());
        assertCounted(3);

        assertThat(cluster.command("stop").exitCode()).isZero();
        assertThat(cluster.command("start", options).exitCode()).isZero();
        assertCounted(4);
        cluster.stop();

        final CommandResult other = cluster.command("start", "--profile", profile);
        assertThat(other.exitCode()).as("%s", other).isEqualTo(2);
        assertThat(other.err())
            .contains("class=(empty: the echo) is not allowed: " + SERVICE + "," + SERVICE + ", the value of the log");
    }

    /** Each service answers each request; the replies of the second one have a negative count. */
    @Test
    void shouldMeasureTwoServicesWhoseRepliesAreOfTheirOwnKindsOrRepeatable() throws IOException
    {
        final Path other = Files.writeString(
            classes.resolve("OtherService.java"), Files.readString(EXAMPLE).replace("CounterService", "OtherService")
            .replace("putLong(Long.BYTES, count)", "putLong(Long.BYTES, -count)"));
        compile(EXAMPLE, other);
        assertThat(cluster.command(
            "start", "--class-path", classes.toString(), "--set",
            "echo.service.class=" + SERVICE + ",com.example.counter.OtherService").exitCode()).isZero();
        cluster.awaitLeader();

        final long scheduled = 1_000;
        final JsonNode apart = run(Set.of(0, 4), "reply.kinds=first,other", "reply.first.match=15:00", "reply.other.match=15:ff");
        assertThat(apart.get("scheduled").asLong()).isEqualTo(scheduled);
        assertThat(apart.get("answered").asLong() + apart.get("late").asLong()).as("%s", apart).isEqualTo(scheduled);
        assertThat(apart.at("/replies/0/answered").asLong() + apart.at("/replies/1/answered").asLong())
            .as("%s", apart).isBetween(2 * scheduled - 2, 2 * scheduled);
        assertThat(apart.get("duplicates").asLong()).isZero();

        final JsonNode repeatable = run(Set.of(0, 4), "reply.reply.repeatable=true");
        assertThat(repeatable.get("answered").asLong() + repeatable.get("late").asLong()).isEqualTo(scheduled);
        assertThat(repeatable.get("duplicates").asLong()).isZero();

        final JsonNode neither = run(Set.of(4), "reply.kinds=reply");
        assertThat(neither.at("/verdict/label").asText()).isEqualTo("FAILED");
        assertThat(neither.get("duplicates").asLong()).as("%s", neither).isBetween(scheduled - 2, scheduled);
    }

    @Test
    void shouldNameWhatTheServiceThrewBesideAMessageWithoutAReply() throws IOException
    {
        compile(Files.writeString(
            Files.createDirectories(classes.resolve("sources")).resolve("CounterService.java"), Files.readString(EXAMPLE).replace(
            "count++;",
            "if (700 == buffer.getLong(offset) && count < 1000) throw new IllegalStateException(\"no price\"); count++;")));
        assertThat(cluster.command(
            "start", "--class-path", classes.toString(), "--set", "echo.service.class=" + SERVICE).exitCode()).isZero();
        cluster.awaitLeader();

        final JsonNode failed = run(Set.of(4), "reply.kinds=reply");
        assertThat(failed.get("unanswered").asLong()).isEqualTo(1);
        assertThat(failed.at("/verdict/warnings").toString())
            .contains("member 1, member 2 logged: java.lang.IllegalStateException: no price (times since the start: 1, 1");
        assertThat(failed.at("/verdict/kinds").toString()).as("a search continues")
            .contains("NO_REPLY").doesNotContain("PROBLEM");

        // It happened before this run.
        final JsonNode next = run(Set.of(0, 4), "reply.kinds=reply");
        assertThat(next.at("/verdict/warnings").toString()).doesNotContain("logged");
    }

    @Test
    void shouldFindInTheLogWhatAMutatedServiceLoses() throws IOException
    {
        compile(Files.writeString(
            Files.createDirectories(classes.resolve("sources")).resolve("CounterService.java"), Files.readString(EXAMPLE).replace(
            "count++;", "if (7 == buffer.getLong(offset) % 50) return; count++;")));
        assertThat(cluster.command(
            "start", "--class-path", classes.toString(), "--set", "echo.service.class=" + SERVICE).exitCode()).isZero();
        cluster.awaitLeader();

        final JsonNode test = load("failover", Set.of(0, 4), "reply.kinds=reply", "--cycles=1", "--rate=200");
        assertThat(test.at("/audit/clean").asBoolean()).as("the logs are right: %s", test.get("audit")).isTrue();
        assertThat(test.get("acknowledgedLost").asLong()).isZero();
        assertThat(test.get("unansweredInLog").asLong()).as("%s", test).isGreaterThanOrEqualTo(10);
        assertThat(test.at("/verdict/warnings").toString())
            .contains("got no reply, without a fault: does the service answer each?");
    }

    private JsonNode run(final Set<Integer> statuses, final String... kinds) throws IOException
    {
        return load("run", statuses, String.join("\n", kinds), "--rate=500", "--duration=2s");
    }

    private JsonNode load(final String command, final Set<Integer> statuses, final String kinds, final String... options)
        throws IOException
    {
        Files.writeString(classes.resolve("requests.hex"), "00".repeat(Long.BYTES));
        final Path messages = Files.writeString(classes.resolve("counter.properties"), String.join(
            "\n", "requests=requests.hex", "request.number=0:int64-le", "reply.number=0:int64-le", kinds));
        final List<String> arguments = new ArrayList<>(List.of(
            command, "--messages=" + messages, "--warm-up=1s", "--json", "--connect-timeout=60s",
            "--output=" + classes.resolve("results")));
        arguments.addAll(List.of(options));
        final CommandResult result = cluster.loadClient(arguments.toArray(String[]::new));
        assertThat(result.exitCode()).as("%s", result).isIn(statuses);
        return result.json();
    }

    @Test
    void shouldStartNothingWithoutTheClassOrItsFolder()
    {
        final CommandResult noFolder =
            cluster.command("start", "--class-path", "no-such.jar", "--set", "echo.service.class=" + SERVICE);
        assertThat(noFolder.exitCode()).as("%s", noFolder).isEqualTo(2);
        assertThat(noFolder.err()).contains("no-such.jar is not allowed: jars and folders that exist");

        final CommandResult noClass = cluster.command("start", "--set", "echo.service.class=" + SERVICE);
        assertThat(noClass.exitCode()).as("%s", noClass).isEqualTo(2);
        assertThat(noClass.err()).contains("echo.service.class=" + SERVICE + " is not allowed: a public class on the class path");

        final CommandResult echo = cluster.loadClient(
            "failover", "--messages=" + EchoCluster.ROOT.resolve("examples/order-book/orders.properties"));
        assertThat(echo.exitCode()).as("%s", echo).isEqualTo(2);
        assertThat(echo.err()).contains("would run the echo: add --set echo.service.class=CLASS");
        final CommandResult noMessages = cluster.loadClient("failover", "--set=echo.service.class=" + SERVICE);
        assertThat(noMessages.exitCode()).as("%s", noMessages).isEqualTo(2);
        assertThat(noMessages.err()).contains("the members to be started run " + SERVICE);
        cluster.assertNothingIsLeft();
    }

    private void compile(final Path... sources)
    {
        final List<String> arguments = new ArrayList<>(
            List.of("-d", classes.toString(), "-cp", EchoCluster.ROOT.resolve("cluster-node.jar").toString()));
        Stream.of(sources).forEach((source) -> arguments.add(source.toString()));
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new))).isZero();
    }

    /** Both services have counted all requests of this and of earlier calls. */
    private void assertCounted(final int callsBefore)
    {
        final List<Long> counts = new ArrayList<>();
        final EgressListener listener =
            (sessionId, timestamp, buffer, offset, length, header) -> counts.add(buffer.getLong(offset + Long.BYTES));
        final UnsafeBuffer request = new UnsafeBuffer(new byte[Long.BYTES]);
        try (MediaDriver driver = MediaDriver.launchEmbedded(new MediaDriver.Context()
            .threadingMode(ThreadingMode.SHARED).dirDeleteOnShutdown(true));
            AeronCluster client = AeronCluster.connect(new AeronCluster.Context()
                .aeronDirectoryName(driver.aeronDirectoryName())
                .ingressChannel("aeron:udp")
                .ingressEndpoints(MemberEndpoints.ingressEndpoints(cluster.local().config().members()))
                .egressChannel("aeron:udp?endpoint=127.0.0.1:0")
                .messageTimeoutNs(TIMEOUT_NS)
                .egressListener(listener)))
        {
            for (int i = 0; i < REQUEST_COUNT; i++)
            {
                final int expectedCount = counts.size() + 2;
                request.putLong(0, i);
                assertThat(Deadline.in(TIMEOUT_NS).await(() -> client.offer(request, 0, Long.BYTES) > 0)).isTrue();
                assertThat(Deadline.in(TIMEOUT_NS).await(() -> client.pollEgress() < 0 || counts.size() >= expectedCount))
                    .as("two answers to request %d", i).isTrue();
                final long total = (long)REQUEST_COUNT * callsBefore + i + 1;
                assertThat(counts.subList(counts.size() - 2, counts.size())).containsExactly(total, total);
            }
        }
    }
}
