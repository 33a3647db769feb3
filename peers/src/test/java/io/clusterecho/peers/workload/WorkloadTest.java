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
import java.util.TreeSet;

import io.clusterecho.peers.PeerNames;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.Range;
import io.clusterecho.reporting.published.PublishedFigures;
import io.clusterecho.reporting.published.PublishedRatio;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.testing.GoldenFile;
import io.clusterecho.threads.Cores;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WorkloadTest
{
    private static final SuiteFacts FACTS = new SuiteFacts(
        "label", Instant.EPOCH, "a size", "command", false, new TreeMap<>(Map.of("etcd", "there is none")));
    private static final CellFigures PUBLISHED = new CellFigures(
        PublishedFigures.read("--published", Path.of("..", "results", "published", "published.csv")));

    @Test
    void shouldShowThePublishedRatioOfTheSameExperimentOnly()
    {
        // One byte: 3,116,441 messages/s one way, 40,378 calls/s with 128 in flight.
        assertRatio(Workload.SIZE_SWEEP, "aeron-udp", 0, 1);
        assertRatio(Workload.SIZE_SWEEP, "grpc-unary", 0, 40_378 / 3_116_441.0);
        assertRatio(Workload.SIZE_SWEEP, "aeron-rpc", 0, 328_979 / 3_116_441.0);
        assertDiffers(
            Workload.SIZE_SWEEP, "aeron-protobuf-arrays", "system: Aeron, Java driver, with Protobuf through arrays here, " +
            "Aeron, Java driver, with Protobuf through streams in the report");
        assertRatio(Workload.CONCURRENCY_SWEEP, "grpc-unary", 2, 22_354 / 152_122.0);
        assertThat(ratio(Workload.CONCURRENCY_SWEEP, "grpc-unary", 2).notStated()).containsExactly("MTU");
        assertDiffers(Workload.SCHEDULED, "kryonet", "Kryo: 2.24.0 here, 4.0.0 in the report");
        assertDiffers(
            Workload.PRICE_STREAM, "kryonet", "Kryo: 2.24.0 here, 4.0.0 in the report",
            "queued: 4 MiB here, 16 KiB, then waits until idle in the report");
        assertDiffers(Workload.PING_PONG, "grpc", "call style: a stream in both directions here, unary calls in the report");
        assertDiffers(Workload.PING_PONG, "grpc-unary", "message length: 32 here, 8 in the report");
        assertDiffers(Workload.PING_PONG, "aeron-udp", "message: bytes here, one long in the report");
        assertDiffers(Workload.SCHEDULED, "kryonet", "message: bytes here, one long in the report");
        assertDiffers(Workload.PRICE_STREAM, "grpc", "load: 1000000 prices here, 100000000 prices in the report");
        final String base = "base, system: RSocket over TCP here, Proteus on RSocket over TCP in the report";
        for (int heap = 0; heap < 2; heap++)
        {
            assertThat(ratio(Workload.MEMORY, "grpc-unary-direct-both", heap).differences()).as("the base only")
                .containsExactly(base);
        }
        assertDiffers(
            Workload.MEMORY, "http1", "system: HTTP/1.1, reactor-netty server here, HTTP/1.1, Ratpack server in the report");
        // No report has these systems under these loads.
        assertThat(ratio(Workload.SCHEDULED, "ratis", 0)).isEqualTo(PublishedRatio.NONE);
        assertThat(ratio(Workload.IN_FLIGHT, "grpc-unary", 0)).isEqualTo(PublishedRatio.NONE);
    }

    @Test
    void shouldInterleaveSystemsWithinAGroup()
    {
        final List<WorkloadCell> cells = SuitePlan.cells(false, 1, EnumSet.allOf(Workload.class), Set.of());
        assertThat(cells.stream().map(WorkloadCell::system)).containsAll(SuitePlan.systems());
        assertThat(cells.stream().filter((cell) -> "size-sweep 1 bytes".equals(cell.group())).map(WorkloadCell::system))
            .containsExactly(
                "aeron-udp", "aeron-protobuf", "aeron-protobuf-arrays", "aeron-rpc", "aeron-rpc-arrays", "grpc-unary");
        assertThat(cells.stream().filter((cell) -> "concurrency-sweep 1024 concurrent requests".equals(cell.group()))
            .map(WorkloadCell::system))
            .containsExactly("aeron-rpc", "aeron-rpc-arrays", "grpc-unary");
        assertThat(cells.stream().filter((cell) -> "in-flight 256 in flight".equals(cell.group()))
            .map(WorkloadCell::system)).contains("http1", "rsocket", "etcd");
    }

    @Test
    void shouldWarmEachSystemUntilItIsSteady()
    {
        final List<WorkloadCell> cells = SuitePlan.cells(false, 1, EnumSet.allOf(Workload.class), Set.of());
        assertThat(cells).allSatisfy((cell) -> assertThat(cell.argument("--warm-up")).isEqualTo(
            List.of("ratis", "ratis-memory").contains(cell.system()) ? "auto:90000ms..180000ms" :
            "etcd".equals(cell.system()) ? "auto:180000ms" : "auto:60000ms"));
        // A shortest length below the least that shows a steady state is left out.
        assertThat(SuitePlan.cells(false, 0.1, EnumSet.of(Workload.PING_PONG), Set.of("ratis")))
            .allSatisfy((cell) -> assertThat(cell.argument("--warm-up")).isEqualTo("auto:18000ms"));
        // Too short to show a steady state.
        final List<WorkloadCell> small = SuitePlan.cells(false, 0.01, EnumSet.allOf(Workload.class), Set.of());
        assertThat(small).allSatisfy((cell) -> assertThat(String.join(" ", cell.arguments())).doesNotContain("auto")
            .containsPattern("--warm-up 100ms|--warm-up-count [0-9]+"));
    }

    @Test
    void shouldNotShowAFigureThatIsNotSteady() throws IOException
    {
        final WorkloadCell aeron = cell(Workload.SCHEDULED, "10,000/s", "", "aeron-udp");
        final WorkloadCell ratis = cell(Workload.SCHEDULED, "10,000/s", "", "ratis");
        final CellResult unsteady = new CellResult(
            ratis, 1, measured(ratis, 1, 1_000_000).values(),
            CellResult.ofGoodRun("p50 fell by 31% in its last 90 intervals", false), 180e9, List.of("a stall of 12 ms"));
        final List<CellResult> all = List.of(measured(aeron, 1, 100_000), unsteady);
        final Verdict verdict = SuiteReport.verdict(all, FACTS, List.of());

        assertThat(SuiteReport.markdown(all, PUBLISHED, FACTS, verdict)).contains(
            "| ratis | - | - | - | - | - | - | - | - | - | - | " +
            "0 of 1 good: not steady: p50 fell by 31% in its last 90 intervals |")
            .contains("- `ratis`, round 1, not steady: p50 fell by 31% in its last 90 intervals after 180 s\n")
            .doesNotContain("a stall of 12 ms");
        assertThat(SuiteReport.csv(all)).contains("ratis,1,p50,1000000,ns,not steady: p50 fell");
        assertThat(verdict.allReasons().get(0)).startsWith("scheduled 10,000/s, ratis: 0 of 1 runs are good (not steady");
        assertThat(CellResult.ofGoodRun(null, false)).isEqualTo(CellResult.GOOD);
    }

    @Test
    void shouldSayHowLongARunWarmedUp() throws IOException
    {
        final WorkloadCell aeron = cell(Workload.SCHEDULED, "10,000/s", "", "aeron-udp");
        final Map<Workload.Metric, Double> values = measured(aeron, 1, 100_000).values();
        final List<CellResult> all = List.of(
            new CellResult(aeron, 1, values, CellResult.GOOD, 12e9, List.of()),
            new CellResult(aeron, 2, values, CellResult.GOOD, 31e9, List.of()),
            new CellResult(aeron, 3, values, CellResult.ofGoodRun("p99 rose", false), 60e9, List.of()));
        final SuiteDocument suite = SuiteDocument.of(all, PUBLISHED, FACTS, SuiteReport.verdict(all, FACTS, List.of()));

        assertThat(suite.groups().get(0).systems().get(0).warmUpNs()).isEqualTo(new Range(12e9, 12e9, 31e9));
        assertThat(SuiteReport.markdown(all, PUBLISHED, FACTS, SuiteReport.verdict(all, FACTS, List.of())))
            .contains("| 12.0 s (12.0 s to 31.0 s) | 2 of 3 good: not steady: p99 rose |");
        assertThat(SuiteReport.csv(all)).contains("aeron-udp,2,p50,100000,ns,good,31.0")
            .contains("aeron-udp,3,p50,100000,ns,not steady: p99 rose,60.0");
    }

    @Test
    void shouldShowNoPublishedRatioBesideASystemOrABaseWithoutAFigure() throws IOException
    {
        final List<WorkloadCell> cells = SuitePlan.cells(false, 1, EnumSet.of(Workload.SIZE_SWEEP), Set.of());
        final WorkloadCell base = cell(cells, "size-sweep 1 bytes", "aeron-udp");
        final WorkloadCell grpc = cell(cells, "size-sweep 1 bytes", "grpc-unary");
        final String unsteady = CellResult.ofGoodRun("p50 fell", false);

        assertThat(publishedRates(base, CellResult.GOOD, grpc, CellResult.GOOD)).isEqualTo(1);
        assertThat(publishedRates(base, CellResult.GOOD, grpc, unsteady)).isZero();
        assertThat(publishedRates(base, unsteady, grpc, CellResult.GOOD)).isZero();
    }

    @Test
    void shouldGiveAeronTheMtuOfTheReport()
    {
        assertThat(EnumSet.allOf(Workload.class)).filteredOn((workload) -> "16384".equals(workload.published().aeronMtu()))
            .containsExactly(Workload.PING_PONG, Workload.SCHEDULED, Workload.PRICE_STREAM);
    }

    @Test
    void shouldGiveServerAndClientTheSameChannelsAndAnIdleStrategyIfTheyPoll()
    {
        final PeerArguments aeron = arguments("aeron-udp", Workload.PRICE_STREAM, "price-stream");
        assertThat(aeron.ofServer()).containsSequence("--set", "peer.mtu=16384", "--set", "peer.term.length=16m");
        assertThat(aeron.ofClient())
            .containsSequence("--transport-set", "peer.mtu=16384", "--transport-set", "peer.term.length=16m");
        assertThat(arguments("aeron-rpc", Workload.IN_FLIGHT, "ping-pong").ofServer())
            .doesNotContain("peer.term.length=16m").contains("peer.mtu=8192");
        // A message may be at most an eighth of a term, and the report has messages of 128 KiB.
        assertThat(arguments("aeron-rpc", Workload.SIZE_SWEEP, "calls").ofServer())
            .containsSequence("--set", "peer.mtu=1408", "--set", "peer.term.length=16m");
        if (Runtime.getRuntime().availableProcessors() >= 2)
        {
            assertThat(aeron.ofServer()).containsSequence("--idle", "yield");
            assertThat(aeron.ofClient()).containsSequence("--idle", "yield");
        }
        final PeerArguments grpc = arguments("grpc", Workload.PRICE_STREAM, "price-stream");
        assertThat(grpc.ofServer()).isEmpty();
        assertThat(grpc.ofClient()).isEmpty();
    }

    @Test
    void shouldLetRatisCollectMessagesOnlyWhereThereAreSeveral()
    {
        final String[] oneByOne = { "--set", "peer.append.wait.us=0" };
        assertThat(arguments("ratis", Workload.PING_PONG, "ping-pong").ofServer()).containsSequence(oneByOne);
        assertThat(arguments("ratis-memory", Workload.IN_FLIGHT, "ping-pong", "--concurrency", "1").ofServer())
            .containsSequence(oneByOne);
        assertThat(arguments("ratis", Workload.IN_FLIGHT, "ping-pong", "--concurrency", "256").ofServer()).isEmpty();
        assertThat(arguments("ratis", Workload.SCHEDULED, "run", "--rate", "10k").ofServer()).isEmpty();
        assertThat(arguments("etcd", Workload.PING_PONG, "ping-pong").ofServer()).isEmpty();
    }

    private static PeerArguments arguments(final String system, final Workload workload, final String... ofCell)
    {
        return PeerArguments.of(
            PeerNames.peer("--systems", system), new WorkloadCell(workload, "", "", system, "1g", List.of(ofCell)));
    }

    @Test
    void shouldLetTheClientSleepWhereThatMakesASystemFasterOnFewCores()
    {
        final Map<String, Set<String>> workloads = new TreeMap<>();
        for (final WorkloadCell cell : SuitePlan.cells(true, 1, EnumSet.allOf(Workload.class), Set.of()))
        {
            if (cell.arguments().contains("--idle"))
            {
                assertThat(cell.argument("--idle")).isEqualTo("backoff");
                workloads.computeIfAbsent(cell.system(), (system) -> new TreeSet<>()).add(cell.workload().label());
            }
        }
        if (!Cores.areFew())
        {
            assertThat(workloads).isEmpty();
            return;
        }

        assertThat(workloads).containsOnlyKeys(
            "grpc", "grpc-direct", "grpc-unary", "grpc-unary-direct-both", "ratis", "ratis-memory", "etcd");
        assertThat(workloads.get("grpc")).containsExactly("price-stream");
        assertThat(workloads.get("grpc-unary"))
            .containsExactly("concurrency-sweep", "in-flight", "size-sweep");
        assertThat(workloads.get("grpc-unary-direct-both")).containsExactly("memory");
        assertThat(workloads.get("etcd")).containsExactly(
            "in-flight", "ping-pong", "scheduled");
        assertThat(SuitePlan.cells(true, 1, EnumSet.of(Workload.CONCURRENCY_SWEEP), Set.of("grpc-unary")).stream()
            .filter((cell) -> !cell.arguments().contains("--idle")).map((cell) -> cell.argument("--concurrency")))
            .containsExactly("1", "2", "4");
    }

    @Test
    void shouldMakeCallsOfOneByteByTheNumberOfThemInFlightAsTheReport()
    {
        final List<WorkloadCell> cells = SuitePlan.cells(true, 1, EnumSet.of(Workload.CONCURRENCY_SWEEP), Set.of("grpc-unary"));
        assertThat(cells.stream().map((cell) -> cell.argument("--concurrency"))).containsExactly(
            "1", "2", "4", "8", "16", "32", "64", "128", "256", "512", "1024");
        assertThat(cells).allSatisfy((cell) ->
        {
            assertThat(cell.arguments()).startsWith("calls", "--size", "1").containsSequence("--duration", "10000ms")
                .contains("peer.in.flight=" + cell.argument("--concurrency"));
            assertThat(CellFigures.experiment(cell, "rate").lengthBytes()).isEqualTo("1");
        });
    }

    @Test
    void shouldRequestPricesOneByOneAsTheReport()
    {
        final WorkloadCell grpc = cell(
            SuitePlan.cells(true, 1, EnumSet.of(Workload.PRICE_STREAM), Set.of()), "price-stream 100000000 prices", "grpc");
        assertThat(grpc.argument("--transport-set")).isEqualTo("peer.demand=1");
        assertThat(PUBLISHED.ratio(grpc, cell(
            SuitePlan.cells(true, 1, EnumSet.of(Workload.PRICE_STREAM), Set.of()), "price-stream 100000000 prices", "aeron-udp"),
            Workload.Metric.MAX).ratio()).hasValueCloseTo(1_106_000_000 / 5_241_000.0, within(2.0));
    }

    @ParameterizedTest
    @EnumSource(value = Workload.class, names = { "PING_PONG", "IN_FLIGHT", "MEMORY" })
    void shouldMeasureAllSystemsForTheSameTimeAtTheSmallSize(final Workload workload)
    {
        final List<WorkloadCell> cells = SuitePlan.cells(false, 1, EnumSet.of(workload), Set.of());
        assertThat(cells.stream().map((cell) -> cell.argument("--time-limit")).distinct()).hasSize(1);
        assertThat(cells.stream().map((cell) -> cell.argument("--count")).distinct()).containsExactly("100000000");
    }

    @Test
    void shouldHaveTheConnectionsAndMessagesInFlightOfTheReportWithSmallHeaps()
    {
        final List<String> loads = SuitePlan.cells(false, 1, EnumSet.of(Workload.MEMORY), Set.of()).stream()
            .map((cell) -> cell.system() + ": " + CellFigures.experiment(cell, "p99.5").load()).toList();
        assertThat(loads).containsExactly(
            "rsocket: closed loop, 16 connections, 128 in flight on each, heaps of 2g",
            "grpc-unary-direct-both: closed loop, 16 connections, 256 in flight on each, heaps of 2g",
            "http1: closed loop, 256 connections, 1 in flight on each, heaps of 2g",
            "rsocket: closed loop, 16 connections, 192 in flight on each, heaps of 128m",
            "grpc-unary-direct-both: closed loop, 16 connections, 256 in flight on each, heaps of 128m",
            "http1: closed loop, 256 connections, 1 in flight on each, heaps of 128m",
            "rsocket: closed loop, 16 connections, 192 in flight on each, heaps of 92m",
            "grpc-unary-direct-both: closed loop, 16 connections, 256 in flight on each, heaps of 92m",
            "http1: closed loop, 256 connections, 1 in flight on each, heaps of 92m");
    }

    @Test
    void shouldMeasureReplicatedSystemsWithOneAndManyMessagesInFlight()
    {
        final List<WorkloadCell> cells = SuitePlan.cells(false, 1, EnumSet.of(Workload.IN_FLIGHT), Set.of("ratis"));
        assertThat(cells.stream().map((cell) -> cell.argument("--concurrency"))).containsExactly("1", "256");
        assertThat(SuitePlan.cells(true, 1, EnumSet.of(Workload.IN_FLIGHT), Set.of("aeron-cluster-fsync-1")).stream()
            .map((cell) -> cell.argument("--concurrency"))).containsExactly("1", "256");
    }

    @Test
    void shouldLetTheHeapOfTheWorkloadOverrideFlagsOfServers()
    {
        assertThat(WorkloadCellRunner.flags(List.of("@node.options", "-Xmx1g"), "92m"))
            .containsExactly("@node.options", "-Xmx1g", "-Xmx92m", "-XX:+ExitOnOutOfMemoryError");
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
            Documents.text(SuiteDocument.of(all, PUBLISHED, FACTS, SuiteReport.verdict(all, FACTS, List.of()))));
        final String report = SuiteReport.markdown(all, PUBLISHED, FACTS, SuiteReport.verdict(all, FACTS, List.of()));
        assertThat(report).contains("- `kryonet`: KryoNet 2.22.0-RC1 with Kryo 2.24.0; write buffers of 8 MiB")
            .contains("at most 4 MiB queued").contains("## scheduled 10,000/s").contains("Not run: `etcd`, there is none.");
        assertThat(report).contains("| aeron-udp *(base)* | 100 us (90.0 us to 120 us) | 1.00 (0.75 to 1.33) | differs |");
        assertThat(report).contains("| grpc | 350 us (300 us to 400 us) | 3.50 (2.50 to 4.44) | differs |");
        assertThat(report).contains(
            "- `kryonet`, not the experiment of the report: message: bytes here, one long in the report; " +
            "message length: 288 here, 8 in the report; Kryo: 2.24.0 here, 4.0.0 in the report\n");
        assertThat(report).contains("1 of 3 good: server out of memory");
        assertThat(SuiteReport.csv(all)).contains("scheduled,\"10,000/s\",grpc,2,p50,300000,ns,good")
            .contains("scheduled,\"10,000/s\",kryonet,1,,,,server out of memory");
    }

    @Test
    void shouldCountARateOrAHeapThatASystemDoesNotSustainAsAResult() throws IOException
    {
        final Map<Workload.Metric, Double> values = measured(cell(Workload.SCHEDULED, "", "", "grpc"), 1, 1).values();
        final String missed = "rate missed: 195 of 200 messages/s achieved (97.4%)";
        assertThat(verdict(Workload.SCHEDULED, values, missed)).isEqualTo("GOOD");
        assertThat(verdict(Workload.SCHEDULED, values, "4 of 9 messages without a reply (4 unanswered)")).isEqualTo("GOOD");
        assertThat(verdict(Workload.SCHEDULED, values, "3 replies are corrupt")).isEqualTo("FAILED");
        assertThat(verdict(Workload.MEMORY, Map.of(), CellResult.SERVER_OUT_OF_MEMORY)).isEqualTo("GOOD");
        assertThat(verdict(Workload.SCHEDULED, Map.of(), "exit status 3: no answer")).isEqualTo("FAILED");
        assertThat(verdict(Workload.SCHEDULED, values, "2 replies are out of order")).isEqualTo("FAILED");
        assertThat(verdict(Workload.MEMORY, values, missed)).isEqualTo("FAILED");
    }

    @Test
    void shouldNotTakeMessagesLostWithASessionForAMissedRate()
    {
        final String lost = "\"4 of 9 messages without a reply (4 unanswered)\"";
        final String missed = "\"rate missed: 195 of 200 messages/s achieved (97.4%)\"";
        assertThat(reason(0, lost)).isEqualTo("4 of 9 messages without a reply (4 unanswered)");
        assertThat(reason(2, lost)).isEqualTo("sessions were lost and replaced: 2");
        assertThat(reason(2, lost + "," + missed)).isEqualTo("4 of 9 messages without a reply (4 unanswered)");
        assertThat(reason(2, "\"3 replies are corrupt\"")).isEqualTo("3 replies are corrupt");
    }

    private static String reason(final int reconnects, final String reasons)
    {
        return WorkloadCellRunner.reason(Documents.parse(
            "{\"reconnects\":" + reconnects + ",\"verdict\":{\"reasons\":[" + reasons + "]}}"));
    }

    private static String verdict(
        final Workload workload, final Map<Workload.Metric, Double> values, final String outcome) throws IOException
    {
        final List<CellResult> all = List.of(new CellResult(cell(workload, "", "", "grpc"), 1, values, outcome));
        return SuiteDocument.of(all, PUBLISHED, FACTS, SuiteReport.verdict(all, FACTS, List.of())).verdict().label();
    }

    /** Number of published ratios of the second system. */
    private static int publishedRates(
        final WorkloadCell base, final String baseOutcome, final WorkloadCell other, final String otherOutcome) throws IOException
    {
        final Map<Workload.Metric, Double> values = Map.of(Workload.Metric.RATE, 1.0);
        final List<CellResult> all =
            List.of(new CellResult(base, 1, values, baseOutcome), new CellResult(other, 1, values, otherOutcome));
        final Verdict verdict = SuiteReport.verdict(all, FACTS, List.of());
        final int count = SuiteDocument.of(all, PUBLISHED, FACTS, verdict).groups().get(0).systems().get(1).published().size();
        assertThat(SuiteReport.markdown(all, PUBLISHED, FACTS, verdict).contains("| 0.0130 |")).isEqualTo(count > 0);
        return count;
    }

    private static CellResult measured(final WorkloadCell cell, final int round, final double value)
    {
        return new CellResult(
            cell, round,
            Map.of(Workload.Metric.P50, value, Workload.Metric.P99, 2 * value, Workload.Metric.P99_9, 3 * value),
            CellResult.GOOD);
    }

    private static void assertRatio(
        final Workload workload, final String system, final int group, final double expected)
    {
        final PublishedRatio ratio = ratio(workload, system, group);
        assertThat(ratio.differences()).isEmpty();
        assertThat(ratio.ratio().orElseThrow()).isCloseTo(expected, within(expected * 1e-9));
    }

    private static void assertDiffers(final Workload workload, final String system, final String... expected)
    {
        final PublishedRatio ratio = ratio(workload, system, 0);
        assertThat(ratio.ratio()).isEmpty();
        assertThat(ratio.differences()).contains(expected);
    }

    /** Beside the first metric of a cell of the suite at its small size. */
    private static PublishedRatio ratio(final Workload workload, final String system, final int group)
    {
        final List<WorkloadCell> cells = SuitePlan.cells(false, 1, EnumSet.of(workload), Set.of());
        final String name = cells.stream().map(WorkloadCell::group).distinct().toList().get(group);
        return PUBLISHED.ratio(
            cell(cells, name, system), cell(cells, name, workload.base()), workload.metrics().get(0));
    }

    private static WorkloadCell cell(final List<WorkloadCell> cells, final String group, final String system)
    {
        return cells.stream().filter((cell) -> group.equals(cell.group()) && system.equals(cell.system())).findFirst()
            .orElseThrow();
    }

    private static WorkloadCell cell(final Workload workload, final String setup, final String payload, final String system)
    {
        return new WorkloadCell(workload, setup, payload, system, "1g",
            List.of("run", "--rate", "10000", "--size", "288"));
    }
}
