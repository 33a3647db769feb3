package io.clusterecho.peers.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.published.PublishedFigures;
import io.clusterecho.testing.GoldenFile;

import org.junit.jupiter.api.Test;

class WorkloadTest
{
    private static final SuiteFacts FACTS = new SuiteFacts(
        "label", Instant.EPOCH, "a size", "command", false, new TreeMap<>(Map.of("etcd", "there is none")));
    private static final PublishedRatio PUBLISHED = new PublishedRatio(
        PublishedFigures.read("--published", Path.of("..", "results", "published", "published.csv")));

    @Test
    void shouldCompareOnlyWithinOnePublishedReport()
    {
        // gRPC 111 us and Aeron 6 us in the closed loop of September, 59 us and 4 us at a fixed rate in October.
        assertRatio(cell(Workload.PING_PONG, "", "", "grpc"), Workload.Metric.P50, 111 / 6.0);
        assertRatio(cell(Workload.SCHEDULED, "10,000/s", "", "grpc"), Workload.Metric.P50, 59 / 4.0);
        assertRatio(cell(Workload.SCHEDULED, "10,000/s", "", "kryonet"), Workload.Metric.P99, 33 / 8.0);
        // Rates are the inverse of the time of the last of 100 million prices.
        assertRatio(cell(Workload.PRICE_STREAM, "x", "28", "grpc"), Workload.Metric.RATE, 5_234_491.0 / 1_105_954_078.0);
        assertRatio(cell(Workload.SIZE_SWEEP, "1 bytes", "1", "grpc"), Workload.Metric.RATE, 40_378 / 3_116_441.0);
        assertRatio(
            cell(Workload.CONCURRENCY_SWEEP, "16 concurrent requests", "", "grpc-unary"), Workload.Metric.RATE,
            22_354 / 152_122.0);
        assertRatio(cell(Workload.MEMORY, "heap 128m", "", "http1"), Workload.Metric.P99_5, 16_300 / 11_800.0);
        assertThat(PUBLISHED.of(cell(Workload.MEMORY, "heap 92m", "", "grpc-unary"), Workload.Metric.RATE)).isEmpty();
        assertThat(PUBLISHED.of(cell(Workload.SCHEDULED, "10,000/s", "", "ratis"), Workload.Metric.P50)).isEmpty();
    }

    @Test
    void shouldInterleaveSystemsWithinAGroup()
    {
        final List<WorkloadCell> cells = SuitePlan.cells(false, 1, EnumSet.allOf(Workload.class), Set.of());
        assertThat(cells.stream().map(WorkloadCell::system)).containsAll(SuitePlan.systems());
        assertThat(cells.stream().filter((cell) -> "size-sweep 1 bytes".equals(cell.group())).map(WorkloadCell::system))
            .containsExactly("aeron-udp", "aeron-protobuf", "aeron-rpc", "grpc");
        assertThat(cells.stream().filter((cell) -> "concurrency-sweep 1024 concurrent requests".equals(cell.group()))
            .map(WorkloadCell::system)).containsExactly("aeron-rpc", "grpc-unary", "rsocket", "http1");
    }

    @Test
    void shouldReportMediansSpreadsRatiosPublishedRatiosAndFailures() throws IOException
    {
        final WorkloadCell aeron = cell(Workload.SCHEDULED, "10,000/s", "", "aeron-udp");
        final WorkloadCell grpc = cell(Workload.SCHEDULED, "10,000/s", "", "grpc");
        final WorkloadCell kryonet = cell(Workload.SCHEDULED, "10,000/s", "", "kryonet");
        final List<CellResult> all = List.of(
            measured(aeron, 1, 100_000), measured(grpc, 1, 400_000), new CellResult(kryonet, 1, Map.of(), "server out of memory"),
            measured(aeron, 2, 120_000), measured(grpc, 2, 300_000), new CellResult(kryonet, 2, Map.of(), "server out of memory"),
            measured(aeron, 3, 90_000), measured(grpc, 3, 350_000), measured(kryonet, 3, 1));

        GoldenFile.checkDocument(
            getClass(), "suite.json",
            Documents.text(SuiteDocument.of(all, PUBLISHED, FACTS, SuiteVerdict.of(all, FACTS, List.of()))));
        final String report = SuiteReport.markdown(all, PUBLISHED, FACTS, SuiteVerdict.of(all, FACTS, List.of()));
        assertThat(report).contains("## scheduled 10,000/s").contains("Not run: `etcd`, there is none.");
        assertThat(report).contains("| aeron-udp *(base)* | 100 us (90.0 us to 120 us) | 1.00 (0.75 to 1.33) | 1.00 |");
        assertThat(report).contains("| grpc | 350 us (300 us to 400 us) | 3.50 (2.50 to 4.44) | 14.75 |");
        assertThat(report).contains("1 of 3 good: server out of memory");
        assertThat(SuiteReport.csv(all)).contains("scheduled,\"10,000/s\",grpc,2,p50,300000,ns,good")
            .contains("scheduled,\"10,000/s\",kryonet,1,,,,server out of memory");
    }

    @Test
    void shouldCountARateOrAHeapThatASystemDoesNotSustainAsAResult() throws IOException
    {
        final Map<Workload.Metric, Double> values = measured(cell(Workload.RATE_SWEEP, "", "", "grpc"), 1, 1).values();
        final String missed = "rate missed: 195 of 200 messages/s achieved (97.4%)";
        assertThat(verdict(Workload.RATE_SWEEP, values, missed)).isEqualTo("GOOD");
        assertThat(verdict(Workload.RATE_SWEEP, values, "4 of 9 messages without a reply (4 unanswered)")).isEqualTo("GOOD");
        assertThat(verdict(Workload.RATE_SWEEP, values, "3 replies are corrupt")).isEqualTo("FAILED");
        assertThat(verdict(Workload.MEMORY, Map.of(), CellResult.SERVER_OUT_OF_MEMORY)).isEqualTo("GOOD");
        assertThat(verdict(Workload.RATE_SWEEP, Map.of(), "exit status 3: no answer")).isEqualTo("FAILED");
        assertThat(verdict(Workload.SCHEDULED, values, missed)).isEqualTo("GOOD");
        assertThat(verdict(Workload.SCHEDULED, values, "2 replies are out of order")).isEqualTo("FAILED");
        assertThat(verdict(Workload.MEMORY, values, missed)).isEqualTo("FAILED");
        assertThat(verdict(Workload.HIGHEST_RATE, Map.of(Workload.Metric.RATE, 1.0), "not confirmed")).isEqualTo("FAILED");
    }

    private static String verdict(
        final Workload workload, final Map<Workload.Metric, Double> values, final String outcome) throws IOException
    {
        final List<CellResult> all = List.of(new CellResult(cell(workload, "", "", "grpc"), 1, values, outcome));
        return SuiteDocument.of(all, PUBLISHED, FACTS, SuiteVerdict.of(all, FACTS, List.of())).verdict().label();
    }

    private static CellResult measured(final WorkloadCell cell, final int round, final double value)
    {
        return new CellResult(
            cell, round,
            Map.of(Workload.Metric.P50, value, Workload.Metric.P99, 2 * value, Workload.Metric.P99_9, 3 * value),
            CellResult.GOOD);
    }

    private static void assertRatio(final WorkloadCell cell, final Workload.Metric metric, final double expected)
    {
        assertThat(PUBLISHED.of(cell, metric)).isPresent();
        assertThat(PUBLISHED.of(cell, metric).getAsDouble()).isCloseTo(expected, within(expected * 1e-9));
    }

    private static WorkloadCell cell(final Workload workload, final String setup, final String payload, final String system)
    {
        return new WorkloadCell(workload, setup, payload, system, "1g", List.of());
    }
}
