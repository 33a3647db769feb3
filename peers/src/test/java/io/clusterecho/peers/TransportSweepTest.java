package io.clusterecho.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.client.sweep.Dimension;
import io.clusterecho.client.sweep.SweepPlan;
import io.clusterecho.peers.command.Peers;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sweeps over other systems than the cluster. */
class TransportSweepTest
{
    private static final int TCP_PORT = 17861;
    private static final String PORT = "echo.base.port=17861";
    private static final String[] SHORT = {
        "rate=500", "repeats=1", "duration=1s", "warm-up=500ms", "cluster-warm-up=0s", "idle=backoff" };

    @TempDir
    private Path folder;

    @Test
    void shouldMeasureEachSystemWithServersOfItsOwn() throws IOException
    {
        // On a busy machine a run may miss its rate.
        assertThat(matrix("transport=aeron-udp,aeron-ipc,grpc", "size=64", "peer.term.length=2m", PORT))
            .isIn(ExitCode.GOOD, ExitCode.RUN_FAILED);
        final JsonNode sweep = sweep();
        assertThat(sweep.at("/plan/varied/0").asText()).isEqualTo("transport");
        assertThat(sweep.at("/runs")).hasSize(3).allSatisfy((run) ->
        {
            assertThat(run.at("/answered").asLong()).as("%s", run).isPositive();
            assertThat(run.at("/lost").asLong()).isZero();
            assertThat(run.at("/durability").asText()).startsWith("none: one server");
        });
        final boolean isGood = sweep.at("/verdict/good").asBoolean();
        assertThat(sweep.at("/ratios").size()).as("%s", sweep).isBetween(isGood ? 2 : 0, 2);
        final Path run = folder("results").resolve(sweep.at("/runs/1/folder").asText());
        final JsonNode manifest = new ObjectMapper().readTree(run.resolve("manifest.json").toFile());
        // Else its server counts as another program, which disturbs.
        assertThat(run.resolve("counters.csv")).content().containsPattern(",server-[0-9]+,[0-9]+,[1-9]");
        assertThat(manifest.at("/configuration/transport").asText()).isEqualTo("aeron-ipc");
        assertThat(manifest.at("/configuration/transport-set").asText()).contains("peer.term.length=2m");
        assertThat(folder("results").resolve("report.html")).content().contains("aeron-udp");
        assertServersHaveEnded();
    }

    @Test
    void shouldMeasureLoadsWithoutARateByAClientOfTheirOwn() throws IOException
    {
        assertThat(matrix(
            "transport=aeron-udp", "load=ping-pong,one-way,price-stream:1000", "size=64", "heap=256m", "duration=500ms",
            "warm-up=200ms", PORT)).isEqualTo(ExitCode.GOOD);
        final JsonNode sweep = sweep();
        assertThat(sweep.at("/runs")).hasSize(3).allSatisfy((run) ->
        {
            assertThat(run.at("/ratePerSecondAchieved").asDouble()).as("%s", run).isPositive();
            assertThat(folder("results").resolve(run.at("/folder").asText()).resolve("load.json")).isRegularFile();
        });
        assertThat(sweep.at("/runs/0/responseTimeNs/p50").asLong()).isPositive();
        assertThat(sweep.at("/runs/1/responseTimeNs").isMissingNode()).as("one way").isTrue();
        assertThat(sweep.at("/cells")).allSatisfy((cell) ->
        {
            assertThat(cell.at("/values/rate").asText()).isEqualTo("none");
            assertThat(cell.at("/highestRatePerSecond/median").asDouble()).isPositive();
        });
        assertThat(sweep.at("/ratios/0/ours/rate").asDouble()).isPositive();
        assertThat(folder("results").resolve("report.html")).content().contains("price-stream:1000");
        assertServersHaveEnded();
    }

    @Test
    void shouldRefuseALoadThatASystemDoesNotHaveBeforeItStartsAnything() throws IOException
    {
        assertThat(matrix("transport=grpc", "load=calls", "size=1", "duration=500ms", PORT)).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void shouldRecordTheCellsOfAServerThatDoesNotStartAndContinue() throws IOException
    {
        try (ServerSocket taken = new ServerSocket(TCP_PORT))
        {
            assertThat(taken.isBound()).isTrue();
            assertThat(matrix("transport=grpc,aeron-ipc", PORT)).isEqualTo(ExitCode.RUN_FAILED);
        }
        final JsonNode sweep = sweep();
        assertThat(sweep.at("/runs/0/verdict/reasons/0").asText())
            .startsWith("grpc could not be started: the server of grpc did not start").contains("a free port");
        assertThat(sweep.at("/runs/1/answered").asLong()).as("%s", sweep.at("/runs/1")).isPositive();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "transport=aeron-udp,grpc; fsync=1        | fsync=1 is not allowed: 0 with transport=aeron-udp",
        "transport=cluster,ratis; fsync=0,1       | fsync=0,1 is not allowed: one value with transport=ratis",
        "transport=aeron-udp,grpc; mtu=1408,8k    | mtu=1408,8192 is not allowed: one value with transport=grpc",
        "transport=cluster,grpc; fault=kill       | fault=kill is not allowed: none with transport=grpc",
        "transport=aeron-ipc; client-driver=c     | client-driver=c is not allowed: same with transport=aeron-ipc",
        "transport=aeron-udp; echo.fsync=1        | is fsync",
        "transport=aeron-udp; peer.driver=c       | peer.driver=c is not allowed: not given here: in a sweep the key is driver",
        "transport=aeron-udp; peer.mtu=8k         | peer.mtu=8k is not allowed: not given here: in a sweep the key is mtu",
        "transport=aeron-udp; echo.stages=true    | echo.stages=true is not allowed: not given with transport=aeron-udp",
        "transport=grpc; peer.term.length=1m      | peer.term.length=1m is not allowed: not given with transport=grpc" })
    void shouldRejectWhatASystemDoesNotHave(final String given, final String message)
    {
        assertThatThrownBy(() -> SweepPlan.parse(properties(given.split("; ")), "test"))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining(message);
        assertThat(matrix(given.split("; "))).isEqualTo(ExitCode.USAGE);
        assertThat(folder.resolve("results")).doesNotExist();
    }

    @Test
    void shouldRejectSeveralClients() throws IOException
    {
        final Path file = Files.writeString(folder.resolve("sweep.properties"), "transport=grpc\nrate=500\n");
        assertThat(Peers.execute(
            "matrix", file.toString(), "--clients", "2", "--output", folder.resolve("results").toString()))
            .isEqualTo(ExitCode.USAGE);
        assertThat(folder.resolve("results")).doesNotExist();
    }

    @Test
    void shouldReadEveryReadySweepOfOtherSystems() throws IOException
    {
        try (Stream<Path> files = Files.list(Path.of("../config/matrix")))
        {
            final List<SweepPlan> plans = files.filter((file) -> Settings.load(file).containsKey(Dimension.TRANSPORT.key()))
                .map((file) -> SweepPlan.parse(Settings.load(file), file.toString())).toList();
            assertThat(plans).hasSizeGreaterThan(1).allSatisfy((plan) -> assertThat(plan.cells()).hasSizeGreaterThan(1));
        }
    }

    private int matrix(final String... properties)
    {
        final StringBuilder text = new StringBuilder();
        properties(properties).forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
        final Path file = folder.resolve("sweep.properties");
        try
        {
            Files.writeString(file, text);
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
        return Peers.execute(
            "matrix", file.toString(), "--output", folder.resolve("results").toString(), "--base-dir",
            folder.resolve("cluster").toString());
    }

    private static Map<String, String> properties(final String... given)
    {
        final Map<String, String> properties = new TreeMap<>();
        Stream.concat(Stream.of(SHORT), Stream.of(given)).map((one) -> one.split("=", 2))
            .forEach((pair) -> properties.put(pair[0], pair[1]));
        return properties;
    }

    private JsonNode sweep() throws IOException
    {
        return new ObjectMapper().readTree(folder("results").resolve("sweep.json").toFile());
    }

    private Path folder(final String name) throws IOException
    {
        try (Stream<Path> folders = Files.list(folder.resolve(name)))
        {
            return folders.findFirst().orElseThrow();
        }
    }

    private void assertServersHaveEnded()
    {
        assertThat(ProcessHandle.allProcesses().map(ProcessHandle::info).flatMap((info) -> info.commandLine().stream()))
            .noneMatch((command) -> command.contains(folder.toString()) && command.contains(" serve "));
    }
}
