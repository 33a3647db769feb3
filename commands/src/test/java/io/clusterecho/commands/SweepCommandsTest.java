package io.clusterecho.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.sweep.SampleSweep;
import io.clusterecho.client.sweep.SweepDocument;
import io.clusterecho.client.sweep.SweepPlan;
import io.clusterecho.client.sweep.SweepRecord;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SweepCommandsTest
{
    private static final String ORDERS = "io.clusterecho.client.load.OrderCodec";

    @RegisterExtension
    private final StandardStreams streams = new StandardStreams();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--slo q98<1ms               | --slo                 | p99<1ms,lost==0",
        "--assert p99<1ms            | --assert              | Unknown option",
        "--rate 50                   | --rate=50             | --lowest 100",
        "--highest 5k                | --rate                 | --highest 5000",
        "--resolution 0%             | --resolution=0%      | 0.1% to 100%",
        "--resolution wide           | --resolution          | as in 5%",
        "--warm-up auto:9s           | --warm-up=auto:9s | a bound above 10.0 s",
        "--until p99+-5%             | --until               | Unknown option",
        "--pass 49%                  | --pass=49%            | 50% to 99%",
        "--pass 100%                 | --pass=100%           | 50% to 99%",
        "--duration 0s               | --duration=0s        | at least one message" })
    void shouldNameWhatIsWrongWithASearch(final String arguments, final String option, final String allowed)
    {
        assertRefused("max-rate --transport memory " + arguments, option, allowed);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "nowhere                                | DIR=nowhere                        | a sweep file",
        "../config/matrix/quick --transport memory | --transport                     | Unknown option",
        "../config/matrix/quick --mtu 8k        | --mtu                              | Unknown option",
        "../config/matrix/quick --warm-up auto  | --warm-up=auto                     | a time with matrix",
        "../config/matrix/quick --until p99+-5% | --until                            | Unknown option",
        "../config/matrix/quick --repeats 0     | repeats=0                          | from 1",
        "../config/matrix/quick --scale 0       | scale=0                            | more than 0",
        "../config/matrix/quick --set echo.fsync=1 | echo.fsync=1                    | in a sweep the key is fsync",
        "../config/matrix/quick --set fault=slow-disk | fault=slow-disk              | none, kill, term, pause or wipe",
        "../config/matrix/quick --set fault=kill --set members=1,3 | members=1,3     | 3 or more with a fault",
        "../config/matrix/quick --set fault=kill --set churn=0,5    | churn=0,5     | 0 with a fault",
        "../config/matrix/quick --set fault=kill --set snapshot-every=5s | snapshot-every=5s | none with a fault",
        "../config/matrix/quick --set fault=kill --set before-fault=none --set log-length=1m | log-length=1048576 | 0 where",
        "../config/matrix/quick --set fault=kill --clients 2 | --clients=2           | not given with a fault of a sweep",
        "../config/matrix/quick --set rate=max --assert p99<1ms | --assert=p99<1ms  | are slo in the sweep file",
        "../config/matrix/quick --set load=ping-pong --assert p99<1ms | --assert=p99<1ms | not given with load=ping-pong",
        "../config/matrix/quick --set load=ping-pong --arrivals poisson | --arrivals=poisson | not given with load=ping-pong",
        "../config/matrix/quick --set nonsense  | --set=nonsense                     | KEY=VALUE",
        "../config/matrix/quick --set size=none | size=none                          | numbers of bytes without --messages",
        "../config/matrix/quick --set size=64,288 --messages " + ORDERS + " | size=64,288 | one value, without effect, with --m",
        "../config/matrix/quick --set size=32 --set size@cluster=64 --messages " + ORDERS + " | size=32 | one value, without",
        "../config/matrix/quick --set size=32 --messages " + ORDERS + " | --messages=io. | add --set echo.service.class",
        "../config/matrix/quick --set echo.service.class=a.B | to be started run a.B | name yours with --messages",
        "../config/matrix/quick --set size=32 --set load=ping-pong --set echo.service.class=a.B --messages " + ORDERS +
            " | --messages=io. | not given with",
        "../config/matrix/quick --endpoints 0=h:1 | --endpoints                      | Unknown option" })
    void shouldNameWhatIsWrongWithASweep(final String arguments, final String option, final String allowed)
    {
        assertRefused("matrix " + arguments.trim(), option, allowed);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--repeats 7        | --repeats=7        | a resumed sweep keeps that of",
        "--rate 2k          | --rate=2k          | a resumed sweep keeps that of",
        "--arrivals poisson | --arrivals=poisson | constant, as when the sweep" })
    void shouldNotGoOnWithOtherOptions(final String arguments, final String option, final String allowed)
    {
        final SweepRecord sweep = SampleSweep.begin(folder.resolve("sweeps"), "fsync", "0,1");
        final String[] args = ("matrix " + sweep.folder().path() + " --base-dir " + folder.resolve("c") + " " + arguments)
            .split(" ");
        assertThat(LoadClient.execute(args)).isEqualTo(2);
        assertThat(streams.err()).startsWith("error: ").contains(option).contains(allowed);
    }

    @Test
    void shouldSayWhatItsRunsHadWhereThePlanSetsIt()
    {
        final SweepPlan plan = SweepRecord.plan(SampleSweep.begin(
            folder.resolve("sweeps"), "rate", "1000", "size", "32,288", "duration", "5s", "warm-up", "2s").folder().path());
        assertThat(MatrixCommand.configuration(
            Map.of("rate", "10000", "size", "288", "warm-up", "10000000000ns", "arrivals", "constant"), plan))
            .containsEntry("rate", "1000").containsEntry("warm-up", "2000000000ns")
            .containsEntry("duration", "5000000000ns").containsEntry("arrivals", "constant").doesNotContainKey("size");
    }

    @Test
    void shouldNotGoOnWithAnOptionMoreOrLess()
    {
        final Path sweep = folder.resolve("sweep");
        final Map<String, String> began = Map.of("arrivals", "constant", "clients", "2", "quiet", "true");
        assertThatThrownBy(() -> MatrixCommand.checkSame(began, Map.of("arrivals", "constant"), sweep))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("--clients=(not given)")
            .hasMessageContaining("2, as when the sweep in " + sweep + " began");
        assertThatThrownBy(() -> MatrixCommand.checkSame(Map.of(), Map.of("clients", "2"), sweep))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("--clients=2")
            .hasMessageContaining("not given, as");
        MatrixCommand.checkSame(began, Map.of("arrivals", "constant", "clients", "2", "label", "mine"), sweep);
    }

    @Test
    void shouldNotGoOnWithAnotherBuild() throws IOException
    {
        final SweepRecord sweep = SampleSweep.begin(folder.resolve("sweeps"), "fsync", "0,1");
        sweep.add(SampleSweep.run(sweep.plan().cells().get(0), 1, true));
        final Path file = sweep.folder().path().resolve("sweep.json");
        final SweepDocument document = SweepRecord.document(sweep.folder().path());
        MatrixCommand.checkSameBuild(document, sweep.folder().path());

        final ObjectNode other = (ObjectNode)new ObjectMapper().readTree(file.toFile());
        ((ObjectNode)other.get("versions")).put("commit", "0123abc");
        Files.writeString(file, other.toString());
        assertThatThrownBy(
            () -> MatrixCommand.checkSameBuild(SweepRecord.document(sweep.folder().path()), sweep.folder().path()))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("was measured with commit 0123abc, this is ");
    }

    @Test
    void shouldRejectASweepWithSettingsThatMembersCannotHaveTogether()
    {
        final Path results = folder.resolve("results");
        final String[] args = {
            "matrix", "../config/matrix/quick", "--set", "state-length=0,8", "--set", "echo.service=plain", "--base-dir",
            folder.resolve("c").toString(), "--output", results.toString() };
        assertThat(LoadClient.execute(args)).isEqualTo(2);
        assertThat(streams.err()).contains("the sweep has a cluster with mtu=1408 state-length=8: ")
            .contains("echo.state.length=8 is not allowed: 0 with echo.service=plain: it is for the echo");
        assertThat(results).doesNotExist();
    }

    @Test
    void shouldFindAndConfirmTheRateOfTheEchoInMemory() throws IOException
    {
        final String[] args = {
            "max-rate", "--transport", "memory", "--idle", "sleep", "--memory-delay", "1ms", "--slo", "p50>=1ms", "--slo",
            "p50<1h", "--rate", "100", "--lowest", "10", "--highest", "400", "--duration", "100ms", "--warm-up", "0s",
            "--pause", "0s", "--pass", "50%", "--output", folder.toString(), "--json", "--quiet", "--label", "mine" };
        assertThat(LoadClient.execute(args)).as(streams.err()).isZero();
        final JsonNode found = new ObjectMapper().readTree(streams.out());
        // What a busy machine sustains, up to the maximum.
        assertThat(found.at("/answer/ratePerSecond").asLong()).isBetween(10L, 400L);
        assertThat(found.at("/answer/runsAtRate").asInt()).isEqualTo(2);
        assertThat(found.at("/answer/passes95/high").asDouble()).isGreaterThan(0.9);
        assertThat(found.get("slo").asText()).isEqualTo("p50>=1ms,p50<1h");
        assertThat(found.get("label").asText()).isEqualTo("mine");
        assertThat(found.at("/configuration/rate").asText()).isEqualTo("100");

        final Path search = folder(folder);
        assertThat(search.getFileName().toString()).endsWith("-mine");
        assertThat(new ObjectMapper().readTree(search.resolve("max-rate.json").toFile())).isEqualTo(found);
        assertThat(search).isDirectoryContaining("glob:**/report.html")
            .isDirectoryContaining("glob:**/max-rate.txt");
        try (Stream<Path> steps = Files.list(search.resolve("steps")))
        {
            assertThat(steps.count()).isEqualTo(found.get("steps").size());
        }
        // Each run's verdict is its own, and can be drawn by itself.
        final Path step = search.resolve(found.at("/steps/0/folder").asText());
        assertThat(LoadClient.execute(new String[]{ "report", step.toString() })).isZero();
        assertThat(step.resolve("report.html")).exists();
    }

    @Test
    void shouldSayWhenNoRateHolds() throws IOException
    {
        final String[] args = {
            "max-rate", "--transport", "memory", "--idle", "sleep", "--memory-delay", "2ms", "--slo", "p50<1ms", "--rate", "200",
            "--duration", "50ms", "--warm-up", "0s", "--pause", "0s", "--output", folder.toString(), "--quiet" };
        assertThat(LoadClient.execute(args)).isEqualTo(4);
        assertThat(streams.out()).startsWith("FAILED  max-rate: p50<1ms").contains("no rate from 100/s");
        final JsonNode found = new ObjectMapper().readTree(folder(folder).resolve("max-rate.json").toFile());
        assertThat(found.at("/answer/status").asText()).isEqualTo("none");
        assertThat(found.at("/steps")).hasSize(2).allSatisfy((step) ->
            assertThat(step.at("/verdict/reasons").toString()).contains("threshold failed: p50<1ms"));
    }

    private void assertRefused(final String arguments, final String option, final String allowed)
    {
        final String[] args = (arguments + " --output " + folder + " --base-dir " + folder.resolve("c")).split(" ");
        assertThat(LoadClient.execute(args)).isEqualTo(2);
        assertThat(streams.err()).startsWith("error: ").contains(option).contains(allowed);
        assertThat(folder).isEmptyDirectory();
    }

    private static Path folder(final Path parent) throws IOException
    {
        try (Stream<Path> folders = Files.list(parent))
        {
            final List<Path> all = folders.toList();
            assertThat(all).hasSize(1);
            return all.get(0);
        }
    }
}
