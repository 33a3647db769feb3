package io.clusterecho.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.sweep.Cell;
import io.clusterecho.client.sweep.Dimension;
import io.clusterecho.client.sweep.Ratio;
import io.clusterecho.client.sweep.SweepDocument;
import io.clusterecho.client.sweep.SweepPlan;
import io.clusterecho.client.sweep.SweepRecord;
import io.clusterecho.client.sweep.SweepRun;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sweeps that repeat the tests of public reports, with runs of known numbers. */
class ReportedSweepsTest
{
    @TempDir
    private Path folder;

    @Test
    void shouldShowThePublishedRatioOfTheSameExperimentOnly()
    {
        // One byte: 3,116,441 messages/s one way, 40,378 calls/s with 128 in flight.
        final List<Ratio> sizes = ratios("size-sweep", "size=1");
        assertPublished(sizes.get(2), "rate", 328_979 / 3_116_441.0);
        assertPublished(sizes.get(4), "rate", 40_378 / 3_116_441.0);
        assertThat(sizes.get(1).published()).isNull();
        assertThat(sizes.get(1).publishedDiffers()).contains(
            "system: Aeron, java driver, with Protobuf through arrays here, " +
            "Aeron, java driver, with Protobuf through streams in the report");
        assertThat(sizes.get(0).publishedBy()).isEqualTo("acapelladb size-sweep");
        assertPublished(ratios("concurrency-sweep", "in-flight=16").get(1), "rate", 22_354 / 152_122.0);
        assertPublished(
            ratios("price-stream", "load=price-stream:100M", "transport=aeron-udp,grpc").get(0), "rate",
            5_241_000.0 / 1_106_000_000);
    }

    @Test
    void shouldNameWhatDiffersFromTheReport()
    {
        assertDiffers(
            "scheduled", "kryonet", "Kryo: 2.24.0 here, 4.0.0 in the report", "message: bytes here, one long in the report");
        assertDiffers(
            "price-stream", "kryonet", "Kryo: 2.24.0 here, 4.0.0 in the report",
            "queued: 4 MiB here, 16 KiB, then waits until idle in the report");
        assertDiffers("price-stream", "grpc", "load: 1000000 prices here, 100000000 prices in the report");
        assertDiffers("ping-pong", "grpc", "call style: a stream in both directions here, unary calls in the report");
        assertDiffers("ping-pong", "grpc-unary", "message length: 32 here, 8 in the report");
        assertDiffers("ping-pong", "grpc-unary", "base, message: bytes here, one long in the report");
        assertDiffers(
            "memory", "http1", "system: HTTP/1.1, reactor-netty server here, HTTP/1.1, Ratpack server in the report",
            "base, system: RSocket over TCP here, Proteus on RSocket over TCP in the report");
        // No report has these systems under these loads.
        assertThat(ratio("scheduled", "ratis").publishedDiffers()).isNull();
        assertThat(ratio("in-flight", "grpc-unary").publishedDiffers()).isNull();
    }

    @Test
    void shouldLetEachSystemHaveTheLoadOfTheReport()
    {
        final SweepPlan sizes = plan("size-sweep");
        assertThat(sizes.cells()).hasSize(36).allSatisfy((cell) -> assertThat(cell.value(Dimension.LOAD)).isEqualTo(
            cell.value(Dimension.TRANSPORT).matches("aeron-rpc.*|grpc.*") ? "calls" : "one-way"));
        final SweepPlan memory = plan("memory");
        assertThat(memory.cells().stream().map((cell) -> cell.value(Dimension.TRANSPORT) + " " +
            cell.value(Dimension.CONNECTIONS) + " " + cell.value(Dimension.IN_FLIGHT)).distinct()).containsExactly(
            "rsocket 16 192", "grpc-unary-direct-both 16 256", "http1 256 1");
        assertThat(memory.groups()).as("servers of each heap").hasSize(9);
        assertThat(SweepPlan.parse(memory.properties(), "test")).isEqualTo(memory);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "published         | acapelladb pings | source and test of results/published/published.csv",
        "load@carrier      | calls            | transport=carrier is not allowed",
        "rate@grpc         | 10k              | not given: of one transport",
        "peer.mtu@grpc     | 8k               | not given: of one transport",
        "heap@http1        | big              | a size, as in 128m",
        "load              | pings            | rate, ping-pong, calls",
        "load              | one-way          | transport=rsocket, which has no such load",
        "in-flight         | 0                | auto, which is 1, or a number",
        "size              | 8                | a number of bytes from 32",
        "rate              | 10k,20k          | two cells are the same" })
    void shouldRejectWhatNoCellCanHave(final String key, final String value, final String message)
    {
        assertThatThrownBy(() -> plan("memory", key + "=" + value)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining(message);
    }

    private void assertDiffers(final String name, final String system, final String... expected)
    {
        final Ratio ratio = ratio(name, system);
        assertThat(ratio.published()).isNull();
        assertThat(ratio.publishedDiffers()).contains(expected);
    }

    private static void assertPublished(final Ratio ratio, final String metric, final double expected)
    {
        assertThat(ratio.publishedDiffers()).isEmpty();
        assertThat(ratio.published().get(metric)).isCloseTo(expected, within(1e-4));
    }

    /** The ratio of a system to the first one of its sweep, at the first values of the other keys. */
    private Ratio ratio(final String name, final String system)
    {
        final String base = plan(name).cells().get(0).value(Dimension.TRANSPORT);
        return ratios(name, "transport=" + base + "," + system).get(0);
    }

    private List<Ratio> ratios(final String name, final String... changes)
    {
        final SweepPlan plan = plan(name, Stream.concat(Stream.of("repeats=1"), Stream.of(changes)).toArray(String[]::new));
        final SweepRecord sweep = SweepRecord.begin(
            ResultFolder.create(folder, name, Instant.parse("2026-11-21T09:13:36Z")), plan, new RunDescription(
            name, Instant.parse("2026-11-21T09:13:36Z"), "java -jar peers.jar matrix", Map.of(), Map.of(), "", "", 0));
        plan.cells().forEach((cell) -> sweep.add(run(cell)));
        return SweepDocument.of(sweep, sweep.verdict(List.of())).ratios().stream()
            .filter((ratio) -> "transport".equals(ratio.dimension())).toList();
    }

    private static SweepRun run(final Cell cell)
    {
        final ObjectNode run = new ObjectMapper().createObjectNode();
        run.put("cell", cell.number()).put("repeat", 1).put("ratePerSecondAchieved", 1_000.0);
        run.putObject("verdict").put("good", true).put("label", "GOOD").put("partial", false).putArray("reasons");
        run.withObject("/verdict").putArray("warnings");
        run.putObject("responseTimeNs").put("p50", 1_000).put("p99", 2_000).put("p99.9", 3_000).put("max", 4_000)
            .put("count", 1_000_000);
        return Documents.bind(run, SweepRun.class);
    }

    private static SweepPlan plan(final String name, final String... changes)
    {
        final Map<String, String> properties =
            new TreeMap<>(Settings.load(Path.of("../config/matrix/reports-" + name + ".properties")));
        for (final String change : changes)
        {
            final int equals = change.indexOf('=');
            properties.put(change.substring(0, equals), change.substring(equals + 1));
        }
        return SweepPlan.parse(properties, name);
    }
}
