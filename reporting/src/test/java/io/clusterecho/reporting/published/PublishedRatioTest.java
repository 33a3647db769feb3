package io.clusterecho.reporting.published;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.junit.jupiter.api.Test;

class PublishedRatioTest
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final PublishedFigures FIGURES = PublishedFigures.packed();
    private static final String SEPTEMBER = "rpc-bench-20160920";
    private static final PublishedFigure AERON = figure(SEPTEMBER, "aeron", "ping-pong", "", "p50");
    private static final PublishedFigure GRPC = figure(SEPTEMBER, "grpc", "ping-pong", "", "p50");
    private static final Experiment OUR_AERON = new Experiment(
        "Aeron, Java driver", Experiment.REQUEST_RESPONSE, Experiment.ONE_LONG, "8", Experiment.closedLoop(1), "p50",
        Map.of(Experiment.MTU, "16384"));
    private static final Experiment OUR_GRPC = new Experiment(
        "gRPC", Experiment.UNARY, Experiment.ONE_LONG, "8", Experiment.closedLoop(1), "p50");

    @Test
    void shouldShowThePublishedRatioOfTheSameExperiments()
    {
        final PublishedRatio ratio = ratio(OUR_GRPC);
        assertThat(ratio.ratio()).hasValue(111 / 6.0);
        assertThat(ratio.differences()).isEmpty();
        assertThat(ratio.inverse().ratio()).hasValue(1 / (111 / 6.0));
    }

    @Test
    void shouldNameAnotherSystem()
    {
        assertDiffers(
            new Experiment(
                "gRPC with a direct executor on the server", OUR_GRPC.callStyle(), OUR_GRPC.content(), "8", OUR_GRPC.load(),
                "p50"),
            "system: gRPC with a direct executor on the server here, gRPC in the report");
    }

    @Test
    void shouldNameAStreamBesideUnaryCalls()
    {
        assertDiffers(
            new Experiment("gRPC", Experiment.BIDIRECTIONAL, OUR_GRPC.content(), "8", OUR_GRPC.load(), "p50"),
            "call style: a stream in both directions here, unary calls in the report");
    }

    @Test
    void shouldNameAnotherMessage()
    {
        assertDiffers(
            new Experiment("gRPC", Experiment.UNARY, Experiment.PROTOBUF_BYTES, "288", OUR_GRPC.load(), "p50"),
            "message: bytes in a Protobuf message here, one long in the report",
            "message length: 288 here, 8 in the report");
    }

    @Test
    void shouldNameAnotherLoad()
    {
        assertDiffers(
            new Experiment(
                "gRPC", Experiment.UNARY, OUR_GRPC.content(), "8", Experiment.closedLoop(64), "p50"),
            "load: closed loop, 64 in flight here, closed loop, 1 in flight in the report");
        assertDiffers(
            new Experiment(
                "gRPC", Experiment.UNARY, OUR_GRPC.content(), "8", Experiment.openLoop("10000"), "p50"),
            "load: open loop at 10000/s here, closed loop, 1 in flight in the report");
    }

    @Test
    void shouldNameAnotherMetric()
    {
        assertDiffers(
            new Experiment("gRPC", Experiment.UNARY, OUR_GRPC.content(), "8", OUR_GRPC.load(), "p99"),
            "metric: p99 here, p50 in the report");
    }

    @Test
    void shouldNameADifferenceOfTheBase()
    {
        final Experiment overC = new Experiment(
            "Aeron, C driver", OUR_AERON.callStyle(), OUR_AERON.content(), "8", OUR_AERON.load(), "p50", Map.of());
        final PublishedRatio ratio = PublishedRatio.of(
            new PublishedRatio.Side(OUR_GRPC, GRPC), new PublishedRatio.Side(overC, AERON));
        assertThat(ratio.ratio()).isEmpty();
        assertThat(ratio.differences()).containsExactly(
            "base, system: Aeron, C driver here, Aeron, Java driver in the report",
            "base, MTU: not set here, 16384 in the report");
    }

    @Test
    void shouldNotMixReports()
    {
        final PublishedRatio ratio = PublishedRatio.of(
            new PublishedRatio.Side(OUR_GRPC, GRPC),
            new PublishedRatio.Side(OUR_AERON, figure("rpc-bench-20161024", "aeron", "ping-pong", "", "p50")));
        assertThat(ratio.ratio()).isEmpty();
        assertThat(ratio.differences()).first().asString().startsWith("source: figures of two reports");
    }

    @Test
    void shouldNameWhatAReportDoesNotState()
    {
        final String setup = " 16 concurrent requests";
        final PublishedFigure aeron = figure("acapelladb", "aeron-rpc", "concurrency-sweep", setup, "throughput");
        final PublishedFigure grpc = figure("acapelladb", "grpc", "concurrency-sweep", setup, "throughput");
        final String load = Experiment.closedLoop(16);
        final PublishedRatio ratio = PublishedRatio.of(
            new PublishedRatio.Side(
                new Experiment(
                    "gRPC", Experiment.UNARY, Experiment.PROTOBUF_BYTES, "1", load, Experiment.THROUGHPUT), grpc),
            new PublishedRatio.Side(
                new Experiment(
                    "calls over Aeron, Java driver, with Protobuf through streams", Experiment.REQUEST_RESPONSE,
                    Experiment.PROTOBUF_BYTES, "1", load,
                    Experiment.THROUGHPUT, Map.of(Experiment.MTU, "1408")),
                aeron));
        assertThat(ratio.ratio()).hasValue(22_354 / 152_122.0);
        assertThat(ratio.notStated()).containsExactly("MTU");
        // Anything else that is not stated is a difference.
        assertThat(OUR_GRPC.differencesFrom(figure("aeron-aws", "other-messaging", "transport-echo", "", "p99").experiment()))
            .contains("system: gRPC here, not stated in the report", "message: one long here, not stated in the report");
    }

    @Test
    void shouldKnowTheExperimentOfEveryPublishedFigure()
    {
        assertThat(FIGURES.all()).isNotEmpty().allSatisfy((figure) ->
        {
            final Experiment experiment = figure.experiment();
            assertThat(experiment.callStyle()).as("%s", figure).isNotEmpty();
            assertThat(experiment.metric()).as("%s", figure).isNotEmpty();
            if (!figure.system().startsWith("other-"))
            {
                assertThat(List.of(experiment.system(), experiment.content(), experiment.load())).as("%s", figure)
                    .doesNotContain("");
            }
        });
        assertThat(figure("acapelladb", "grpc", "size-sweep", "", "throughput").experiment().load())
            .isEqualTo("closed loop, 128 in flight");
        assertThat(figure("acapelladb", "aeron-rpc", "size-sweep", "", "throughput").experiment().load())
            .isEqualTo("closed loop, 64 in flight");
    }

    @Test
    void shouldShowTheGuidesRatioAtItsRateOnly()
    {
        final PublishedSetup small = PublishedSetup.of(cluster("32", 100_000)).orElseThrow();
        final PublishedSetup middle = PublishedSetup.of(cluster("288", 100_000)).orElseThrow();
        assertThat(middle.ratioTo(small, "p50").ratio()).hasValue(109 / 107.0);

        final PublishedSetup slow = PublishedSetup.of(cluster("32", 1_000)).orElseThrow();
        final PublishedSetup slower = PublishedSetup.of(cluster("288", 1_000)).orElseThrow();
        assertThat(slower.ratioTo(slow, "p50").ratio()).isEmpty();
        assertThat(slower.ratioTo(slow, "p50").differences())
            .containsExactly("load: open loop at 1000/s here, open loop at 100000/s in the report");
    }

    @Test
    void shouldNotTakeAnotherConditionForTheGuides()
    {
        final PublishedSetup small = PublishedSetup.of(search("32", "p50 < 10ms")).orElseThrow();
        final PublishedSetup middle = PublishedSetup.of(search("288", "p50 < 10ms")).orElseThrow();
        assertThat(middle.ratioTo(small, "rate").ratio()).isEmpty();
        assertThat(middle.ratioTo(small, "rate").differences())
            .containsExactly("metric: highest rate with p50<10ms here, highest rate with p99<1ms in the report");
        assertThat(PublishedSetup.of(search("288", "p99<1ms")).orElseThrow()
            .ratioTo(PublishedSetup.of(search("32", "p99<1ms")).orElseThrow(), "rate").ratio()).hasValue(0.5);
    }

    @Test
    void shouldNotTakeATransportOverCForJava()
    {
        final PublishedSetup java = PublishedSetup.of(transport("")).orElseThrow();
        final PublishedSetup overC = PublishedSetup.of(transport("peer.driver=c,peer.mtu=8k")).orElseThrow();
        assertThat(java.driver()).isEqualTo("java");
        assertThat(overC.driver()).isEqualTo("c");
        assertThat(overC.ratioTo(overC, "p50").ratio()).hasValue(1);
        assertThat(java.ratioTo(java, "p50").differences())
            .containsExactly("system: Aeron, java driver, MTU 1408 here, Aeron, java driver, MTU 8192 in the report");
        assertThat(PublishedSetup.of(transport("peer.driver=external"))).isEmpty();
    }

    @Test
    void shouldNameFileSyncLevelAndMembers()
    {
        final ObjectNode document = cluster("288", 100_000);
        ((ObjectNode)document.get("cluster")).put("echo.fsync", "2").put("echo.mtu", "8k")
            .put("echo.hosts", "127.0.0.1,127.0.0.1,127.0.0.1,127.0.0.1,127.0.0.1");
        final PublishedSetup setup = PublishedSetup.of(document).orElseThrow();
        assertThat(setup.ratioTo(setup, "p50").differences()).containsExactly(
            "system: cluster of 5 members, java driver, file sync level 2, MTU 8192, cluster-placement here, " +
            "cluster of 3 members, java driver, file sync level 0, MTU 1408, cluster-placement in the report");
    }

    @Test
    void shouldNotTakeOtherHostsWithoutAPlacementForTheGuides()
    {
        final ObjectNode document = cluster("288", 100_000);
        final ObjectNode settings = (ObjectNode)document.get("cluster");
        settings.put("echo.hosts", "10.0.1.4,10.0.2.4,10.0.3.4");
        assertThat(PublishedSetup.of(document)).isEmpty();
        settings.put("echo.placement", "partition");
        assertThat(PublishedSetup.of(document).orElseThrow().placement()).isEqualTo("partition-placement");
        settings.put("echo.placement", "cluster");
        assertThat(PublishedSetup.of(document).orElseThrow().placement()).isEqualTo("cluster-placement");

        final ObjectNode transport = (ObjectNode)transport("peer.mtu=8k");
        ((ObjectNode)transport.get("configuration")).put("endpoints", "127.0.0.1:21000");
        assertThat(PublishedSetup.of(transport)).isPresent();
        ((ObjectNode)transport.get("configuration")).put("endpoints", "10.0.1.4:21000");
        assertThat(PublishedSetup.of(transport)).isEmpty();
    }

    private static ObjectNode cluster(final String size, final int rate)
    {
        final ObjectNode document = MAPPER.createObjectNode().put("ratePerSecondAsked", rate);
        document.putObject("configuration").put("transport", "cluster").put("size", size);
        document.putObject("cluster").put("echo.fsync", "0").put("echo.mtu", "1408")
            .put("echo.hosts", "127.0.0.2,127.0.0.3,127.0.0.4");
        return document;
    }

    private static JsonNode search(final String size, final String condition)
    {
        final ObjectNode document = cluster(size, 1);
        document.remove("ratePerSecondAsked");
        return document.put("slo", condition);
    }

    private static JsonNode transport(final String settings)
    {
        final ObjectNode document = MAPPER.createObjectNode().put("ratePerSecondAsked", 100_000);
        document.putObject("configuration").put("transport", "aeron-udp").put("size", "288").put("transport-set", settings);
        return document;
    }

    private static void assertDiffers(final Experiment ours, final String... differences)
    {
        final PublishedRatio ratio = ratio(ours);
        assertThat(ratio.ratio()).isEmpty();
        assertThat(ratio.differences()).containsExactly(differences);
    }

    private static PublishedRatio ratio(final Experiment ours)
    {
        return PublishedRatio.of(new PublishedRatio.Side(ours, GRPC), new PublishedRatio.Side(OUR_AERON, AERON));
    }

    private static PublishedFigure figure(
        final String source, final String system, final String test, final String suffix, final String metric)
    {
        return FIGURES.all().stream().filter((one) ->
            one.source().equals(source) && one.system().equals(system) && one.test().equals(test) &&
            one.setup().endsWith(suffix) && one.metric().equals(metric)).findFirst().orElseThrow();
    }
}
