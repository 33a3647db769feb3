package io.clusterecho.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.client.run.ClientsConfig;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.process.JavaCommand;
import io.clusterecho.reporting.results.CsvTable;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;


/** Several real processes that offer one schedule, into the transport in memory. */
class SharedLoadTest
{
    private static final String LOAD =
        "--transport memory --idle sleep --rate 1000 --size 64 --warm-up 500ms --interval 200ms --json --client-timeout 30s ";

    @RegisterExtension
    private final StandardStreams streams = new StandardStreams();

    @TempDir
    private Path folder;

    @Test
    void shouldOfferOneScheduleFromTwoProcesses() throws IOException
    {
        final int status = LoadClient.execute(
            ("run --clients 2 --connections 2 --duration 1s --arrivals poisson " + LOAD + "--output " + folder).split(" "));
        assertThat(status).as(streams.err()).isIn(0, 4);
        final JsonNode manifest = new ObjectMapper().readTree(streams.out());
        assertThat(manifest.get("scheduled").asLong()).isEqualTo(1_000);
        assertThat(manifest.get("answered").asLong()).isEqualTo(1_000);
        assertThat(manifest.at("/responseTimeNs/count").asLong()).isEqualTo(1_000);
        assertThat(manifest.get("clients")).hasSize(2);
        assertThat(manifest.at("/configuration/clients").asText()).isEqualTo("2");

        final Path result = Path.of(manifest.get("resultFolder").asText());
        final CsvTable whole = CsvTable.read(result.resolve("intervals.csv"));
        long answered = 0;
        for (final JsonNode client : manifest.get("clients"))
        {
            assertThat(client.get("scheduled").asLong()).isEqualTo(500);
            assertThat(client.get("answered").asLong()).isEqualTo(500);
            assertThat(client.get("pid").asLong()).isNotEqualTo(ProcessHandle.current().pid());
            // One machine has one such clock: what was found must be right within its own error.
            assertThat(Math.abs(client.get("clockOffsetNs").asLong())).isLessThanOrEqualTo(client.get("clockErrorNs").asLong());
            final CsvTable own = CsvTable.read(result.resolve(client.get("folder").asText()).resolve("intervals.csv"));
            for (int row = 0; row < own.rowCount(); row++)
            {
                answered += (long)own.number(row, "answered");
            }
        }
        assertStallsAgree(result, manifest);
        long answeredByAll = 0;
        for (int row = 0; row < whole.rowCount(); row++)
        {
            answeredByAll += (long)whole.number(row, "answered");
        }
        assertThat(answeredByAll).as("with the warm-up, of which a busy machine leaves some out").isEqualTo(answered)
            .isEqualTo(1_500 - manifest.get("warmUpSkipped").asLong());
        assertThat(Files.readString(result.resolve("counters.csv"))).contains(",client-0,").contains(",client-1,");
        assertThat(result.resolve("report.html")).exists();
        assertThat(workers()).as("no process is left").isEmpty();
    }

    private static void assertStallsAgree(final Path result, final JsonNode manifest) throws IOException
    {
        long count = 0;
        try (HistogramLogReader reader = new HistogramLogReader(result.resolve("stall.hlog").toFile()))
        {
            for (EncodableHistogram row = reader.nextIntervalHistogram(); null != row; row = reader.nextIntervalHistogram())
            {
                count += ((Histogram)row).getTotalCount();
            }
        }
        assertThat(count).as("samples in %s, without those of the warm-up", result)
            .isPositive().isEqualTo(manifest.at("/stallNs/count").asLong());
    }

    @Test
    void shouldAccountForTheShareOfAClientThatIsKilled() throws IOException
    {
        final CompletableFuture<Integer> running = CompletableFuture.supplyAsync(() -> LoadClient.execute(
            ("run --clients 2 --duration 3s " + LOAD + "--output " + folder).split(" ")));
        await().atMost(Duration.ofSeconds(60)).until(() -> streams.err().contains("measure"));
        workers().get(0).destroyForcibly();
        assertThat(running.join()).as(streams.err()).isEqualTo(4);

        final JsonNode manifest = new ObjectMapper().readTree(streams.out());
        assertThat(manifest.at("/verdict/label").asText()).isEqualTo("FAILED");
        assertThat(manifest.at("/verdict/reasons/0").asText()).contains("of 2 was lost").contains("signal 9");
        assertThat(manifest.get("scheduled").asLong()).isEqualTo(3_000);
        assertThat(
            manifest.get("answered").asLong() + manifest.get("late").asLong() + manifest.get("unanswered").asLong() +
            manifest.get("neverSent").asLong()).isEqualTo(3_000);
        assertThat(manifest.get("answered").asLong()).as("the other one continued").isGreaterThanOrEqualTo(1_500);
        assertThat(manifest.get("neverSent").asLong()).isPositive();
        assertThat(manifest.at("/responseTimeNs/count").asLong()).isEqualTo(3_000);
        assertThat(workers()).isEmpty();
    }

    @Test
    void shouldKeepWhatAllMeasuredWhenItIsAskedToEnd() throws IOException, InterruptedException
    {
        final Process leader = startLeader();
        leader.destroy();
        assertThat(leader.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(leader.exitValue()).as(said()).isEqualTo(130);

        final JsonNode manifest = new ObjectMapper().readTree(folder.resolve("out").toFile());
        assertThat(manifest.at("/verdict/partial").asBoolean()).isTrue();
        final long scheduled = manifest.get("scheduled").asLong();
        assertThat(scheduled).isPositive().isLessThan(50_000);
        assertThat(manifest.get("answered").asLong() + manifest.get("late").asLong()).isEqualTo(scheduled);
        assertThat(manifest.get("clients")).hasSize(2).allSatisfy(
            (client) -> assertThat(client.get("scheduled").asLong())
                .isCloseTo(scheduled / 2, Offset.offset(scheduled / 10 + 50)));
    }

    @Test
    void shouldLeaveNoProcessBehindWhenItIsKilled() throws IOException, InterruptedException
    {
        final Process leader = startLeader();
        final List<ProcessHandle> workers = leader.descendants().toList();
        assertThat(workers).hasSize(2);
        leader.destroyForcibly().waitFor();
        await().atMost(Duration.ofSeconds(60)).until(() -> workers.stream().noneMatch(ProcessHandle::isAlive));
    }

    @Test
    void shouldKeepProcessesOfAnyCommandLineBetweenTheRunsOfASearch() throws IOException
    {
        final String line = String.join(" ", program()) + " worker --idle sleep";
        final List<String> arguments = new ArrayList<>(List.of((
            "max-rate --transport memory --idle sleep --rate 400 --lowest 100 --highest 400 --size 64 --warm-up 200ms " +
            "--later-warm-up 200ms --duration 400ms --pass 50% " +
            "--pause 10ms --interval 200ms --slo p50<10s --json --quiet --output " + folder).split(" ")));
        arguments.addAll(List.of("--clients", "2", "--client-command", line));
        final int status = LoadClient.execute(arguments.toArray(new String[0]));
        assertThat(status).as(streams.err()).isIn(0, 4);
        try (Stream<Path> files = Files.walk(folder))
        {
            final List<JsonNode> manifests =
                files.filter((file) -> file.endsWith("manifest.json")).map(SharedLoadTest::read).toList();
            assertThat(manifests).hasSizeGreaterThan(1);
            assertThat(manifests.stream().map((one) -> one.at("/clients/0/pid").asLong()).distinct()).hasSize(1);
            assertThat(manifests).allSatisfy(
                (one) -> assertThat(one.at("/clients/1/command").asText()).endsWith(" worker --idle sleep"));
        }
        assertThat(workers()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "--clients 0                           | --clients              | at least 1",
        "--clients 101                         | --clients=101          | 1 to 100",
        "--clients 2 --connections 501         | --connections=501      | 1000 over all",
        "--clients 2 --egress 127.0.0.1:9      | --egress=127.0.0.1:9   | a port of 0",
        "--clients 1 --client-command a --client-command b  | --clients=1    | at least 2",
        "--client-command /no/such --transport memory       | --client-command=/no/such | no such program: /no/such",
        "--client-command /bin/false --transport memory     | --client-command=/bin/false | exit status 1" })
    void shouldNameOptionValueAndWhatIsAllowed(final String arguments, final String option, final String allowed)
    {
        assertThat(LoadClient.execute(("--output " + folder + " " + arguments).split(" +"))).isEqualTo(2);
        assertThat(streams.err()).contains("error: ").contains(option).contains(allowed);
        assertThat(folder).isEmptyDirectory();
    }

    @ParameterizedTest
    @CsvSource({ "failover", "ping-pong", "worker" })
    void shouldRefuseWhatCannotBeShared(final String command)
    {
        assertThat(LoadClient.execute(new String[]{ command, "--clients", "2", "--output", folder.toString() })).isEqualTo(2);
        assertThat(streams.err()).contains("--clients").contains("Unknown option");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldGiveAWorkerEveryOptionOfTheLoad()
    {
        final String given =
            "--rate 12345 --size 1k*3,64..128*2 --warm-up 123ms --drain-timeout 1m --late-after 7s --sessions 3 --batch 4 " +
            "--arrivals poisson --seed -9 --egress 127.0.0.1:0 --connect-timeout 3s --delivery exactly-once " +
            "--session-recovery wait --resend-after 1s --unacknowledged 77 " +
            "--profile compact --idle yield --transport udp --transport-set a=1 --transport-set b=2 --memory-delay 5us " +
            "--memory-stall 1s@5s --interval 300ms --driver external --driver-dir x --driver-send-vector 8 --stages";
        final RunConfig config = RunConfig.parse(List.of(given.split(" ")));
        final RunConfig worker = RunConfig.parse(config.workerArguments(Map.of("--mtu", "8192")));

        final SortedMap<String, String> expected = config.options();
        expected.put("mtu", "8192");
        assertThat(worker.options()).isEqualTo(expected);
        assertThat(worker.load()).usingRecursiveComparison().isEqualTo(config.load());
        assertThat(worker.threads()).isEqualTo(config.threads());
        assertThat(worker.driver()).isEqualTo(config.driver());
        assertThat(worker.intervalNs()).isEqualTo(300_000_000);
        assertThat(RunConfig.parse(List.of("--rate=5", "--rate=6")).load().ratePerSecond())
            .as("the last one counts").isEqualTo(6);
    }

    @Test
    void shouldGiveAWorkerTheKindsOfMessagesInPlaceOfRateAndSize()
    {
        final RunConfig config = RunConfig.parse(List.of("--kind=orders:10k:288", "--kind=quotes:50k:64..128"));
        assertThat(config.options()).containsEntry("kind", "orders:10000:288,quotes:50000:64..128")
            .containsEntry("rate", "60000").doesNotContainKey("size");
        final RunConfig worker = RunConfig.parse(config.workerArguments(Map.of("--mtu", "8192")));
        assertThat(worker.load()).usingRecursiveComparison().isEqualTo(config.load());
        assertThat(worker.load().ratePerSecond()).isEqualTo(60_000);
    }

    @ParameterizedTest
    @CsvSource({
        "max-rate --slo p99<1s --kind a:1:32, --kind, Unknown option",
        "ping-pong --kind a:1:32, --kind, Unknown option",
        "ping-pong --transport memory --size 32..64, --size=32..64, one length for a closed loop" })
    void shouldRefuseKindsAndLengthsThatACommandCannotHave(final String arguments, final String option, final String allowed)
    {
        assertThat(LoadClient.execute((arguments + " --output " + folder).split(" "))).isEqualTo(2);
        assertThat(streams.err()).contains(option).contains(allowed);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldReportEachKindOfMessage() throws IOException
    {
        assertThat(LoadClient.execute((
            "run --transport memory --idle sleep --kind orders:100:288 --kind files:50:1k..16k --warm-up 100ms --duration 1s " +
            "--json --output " + folder).split(" "))).isIn(0, 4);
        final JsonNode result = new ObjectMapper().readTree(streams.out());
        assertThat(result.get("scheduled").asLong()).isEqualTo(150);
        assertThat(result.at("/kinds/0/name").asText()).isEqualTo("orders");
        // Drawn: four standard errors around 100.
        assertThat(result.at("/kinds/0/scheduled").asLong()).isBetween(76L, 124L);
        assertThat(result.at("/kinds/1/scheduled").asLong()).isEqualTo(150 - result.at("/kinds/0/scheduled").asLong());
        assertThat(result.at("/configuration/kind").asText()).isEqualTo("orders:100:288,files:50:1024..16384");
        assertThat(Files.readString(Path.of(result.get("resultFolder").asText()).resolve("summary.txt")))
            .containsPattern("\nkind +bytes +target/s").containsPattern("\nfiles +1024..16384 +50.0 ");
    }

    @Test
    void shouldReplayATraceFromTwoProcesses() throws IOException
    {
        final StringBuilder text = new StringBuilder("time_s,bytes\n");
        for (int i = 0; i < 100; i++)
        {
            // A burst of ten each 100 ms, the last of which is long.
            text.append(String.format(Locale.ROOT, "%.1f,%d%n", i / 10 * 0.1, i % 10 == 9 ? 4_096 : 64));
        }
        final Path trace = Files.writeString(folder.resolve("trace.csv"), text);
        final Path output = folder.resolve("results");
        final String options = "run --transport memory --idle sleep --warm-up 200ms --output " + output + " --trace " + trace;
        assertThat(LoadClient.execute((options + " --duration 905ms --clients 2 --json").split(" "))).isIn(0, 4);
        final JsonNode result = new ObjectMapper().readTree(streams.out());
        assertThat(result.get("scheduled").asLong()).isEqualTo(100);
        assertThat(result.get("answered").asLong() + result.get("late").asLong()).isEqualTo(100);
        assertThat(result.at("/kinds/0/scheduled").asLong()).isEqualTo(90);
        assertThat(result.at("/kinds/1/scheduled").asLong()).isEqualTo(10);
        assertThat(result.at("/kinds/1/ratePerSecondAsked").asDouble()).isEqualTo(11.05);
        assertThat(result.at("/configuration/trace-digest").asText()).matches("[0-9a-f]{16}");
        assertThat(result.at("/configuration").has("size")).isFalse();

        streams.clear();
        assertThat(LoadClient.execute((options + " --duration 2s").split(" "))).isEqualTo(2);
        assertThat(streams.err()).contains("--duration=2s", "at most 909090909ns", "--trace-repeat");
        streams.clear();
        assertThat(LoadClient.execute((options + " --rate 5").split(" "))).isEqualTo(2);
        assertThat(streams.err()).contains("--rate=5", "not given with --trace: a trace has its own");
        streams.clear();
        assertThat(LoadClient.execute((options + " --trace-digest 0123").split(" "))).isEqualTo(2);
        assertThat(streams.err()).contains("a file with the digest 0123");
    }

    /** One with two workers and a long run, which has begun to measure. */
    private Process startLeader() throws IOException
    {
        final List<String> command = program();
        command.addAll(List.of(("run --clients 2 --duration 50s " + LOAD + "--output " + folder).split(" ")));
        final Process leader = new ProcessBuilder(command)
            .redirectOutput(folder.resolve("out").toFile()).redirectError(folder.resolve("err").toFile()).start();
        await().atMost(Duration.ofSeconds(60)).until(() -> said().contains("measure"));
        return leader;
    }

    /** The program that is tested, as a command line without arguments; with the flags of this JVM, which its workers inherit. */
    private static List<String> program()
    {
        return new ArrayList<>(JavaCommand.ofClass(LoadClient.class.getName(), JavaCommand.ownFlags("-XX:.*"), List.of()));
    }

    private String said() throws IOException
    {
        return Files.readString(folder.resolve("err"));
    }

    private static JsonNode read(final Path file)
    {
        try
        {
            return new ObjectMapper().readTree(file.toFile());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** The worker processes that this one has started; the browser of the page tests may be another child of it. */
    private static List<ProcessHandle> workers()
    {
        return ProcessHandle.current().children()
            .filter((child) -> child.info().arguments().map(List::of).orElse(List.of()).contains(ClientsConfig.WORKER)).toList();
    }
}
