package io.clusterecho.reporting.published;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

class PublishedRatioTest
{
    private static final String SEPTEMBER = "rpc-bench-20160920";
    private static final PublishedFigure AERON = figure(SEPTEMBER, "aeron", "ping-pong", "", "p50");
    private static final PublishedFigure GRPC = figure(SEPTEMBER, "grpc", "ping-pong", "", "p50");
    private static final Experiment OUR_AERON = new Experiment(
        "Aeron, java driver", Experiment.REQUEST_RESPONSE, "one long", "8", Experiment.closedLoop(1), "p50",
        Map.of(Experiment.MTU, "16384"));
    private static final Experiment OUR_GRPC = new Experiment(
        "gRPC", Experiment.UNARY, "one long", "8", Experiment.closedLoop(1), "p50", Map.of());

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
                "p50", Map.of()),
            "system: gRPC with a direct executor on the server here, gRPC in the report");
    }

    @Test
    void shouldNameAStreamBesideUnaryCalls()
    {
        assertDiffers(
            new Experiment("gRPC", Experiment.BIDIRECTIONAL, OUR_GRPC.content(), "8", OUR_GRPC.load(), "p50", Map.of()),
            "call style: a stream in both directions here, unary calls in the report");
    }

    @Test
    void shouldNameAnotherMessage()
    {
        assertDiffers(
            new Experiment("gRPC", Experiment.UNARY, Experiment.PROTOBUF_BYTES, "288", OUR_GRPC.load(), "p50", Map.of()),
            "message: bytes in a Protobuf message here, one long in the report",
            "message length: 288 here, 8 in the report");
    }

    @Test
    void shouldNameAnotherLoad()
    {
        assertDiffers(
            new Experiment(
                "gRPC", Experiment.UNARY, OUR_GRPC.content(), "8", Experiment.closedLoop(64), "p50", Map.of()),
            "load: closed loop, 64 in flight here, closed loop, 1 in flight in the report");
        assertDiffers(
            new Experiment(
                "gRPC", Experiment.UNARY, OUR_GRPC.content(), "8", Experiment.openLoop("10000"), "p50", Map.of()),
            "load: open loop at 10000/s here, closed loop, 1 in flight in the report");
    }

    @Test
    void shouldNameAnotherMetric()
    {
        assertDiffers(
            new Experiment("gRPC", Experiment.UNARY, OUR_GRPC.content(), "8", OUR_GRPC.load(), "p99", Map.of()),
            "metric: p99 here, p50 in the report");
    }

    @Test
    void shouldNameADifferenceOfTheBase()
    {
        final Experiment overC = new Experiment(
            "Aeron, C driver", OUR_AERON.callStyle(), OUR_AERON.content(), "8", OUR_AERON.load(), "p50", Map.of());
        final PublishedRatio ratio = PublishedRatio.of(
            new PublishedRatio.Side(OUR_GRPC, GRPC), new PublishedRatio.Side(overC, AERON), List.of());
        assertThat(ratio.ratio()).isEmpty();
        assertThat(ratio.differences()).containsExactly(
            "base, system: Aeron, C driver here, Aeron, java driver in the report",
            "base, MTU: not set here, 16384 in the report");
    }

    @Test
    void shouldNotMixReports()
    {
        final PublishedRatio ratio = PublishedRatio.of(
            new PublishedRatio.Side(OUR_GRPC, GRPC),
            new PublishedRatio.Side(OUR_AERON, figure("rpc-bench-20161024", "aeron", "ping-pong", "", "p50")),
            List.of());
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
                    "gRPC", Experiment.UNARY, Experiment.PROTOBUF_BYTES, "1", load, Experiment.THROUGHPUT, Map.of()), grpc),
            new PublishedRatio.Side(
                new Experiment(
                    "calls over Aeron, java driver, with Protobuf through streams", Experiment.REQUEST_RESPONSE,
                    Experiment.PROTOBUF_BYTES, "1", load,
                    Experiment.THROUGHPUT, Map.of(Experiment.MTU, "1408")),
                aeron), List.of());
        assertThat(ratio.ratio()).hasValue(22_354 / 152_122.0);
        assertThat(ratio.notStated()).containsExactly("MTU");
        // Anything else that is not stated is a difference.
        assertThat(OUR_GRPC.differencesFrom(figure("aeron-aws", "other-messaging", "transport-echo", "", "p99").experiment()))
            .contains("system: gRPC here, not stated in the report", "message: one long here, not stated in the report");
    }

    @Test
    void shouldKnowTheExperimentOfEveryPublishedFigure()
    {
        assertThat(PublishedFigure.all()).isNotEmpty().allSatisfy((figure) ->
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

    private static void assertDiffers(final Experiment ours, final String... differences)
    {
        final PublishedRatio ratio = ratio(ours);
        assertThat(ratio.ratio()).isEmpty();
        assertThat(ratio.differences()).containsExactly(differences);
    }

    private static PublishedRatio ratio(final Experiment ours)
    {
        return PublishedRatio.of(
            new PublishedRatio.Side(ours, GRPC), new PublishedRatio.Side(OUR_AERON, AERON), List.of());
    }

    private static PublishedFigure figure(
        final String source, final String system, final String test, final String suffix, final String metric)
    {
        return PublishedFigure.all().stream().filter((one) ->
            one.source().equals(source) && one.system().equals(system) && one.test().equals(test) &&
            one.setup().endsWith(suffix) && one.metric().equals(metric)).findFirst().orElseThrow();
    }
}
