package io.clusterecho.reporting.published;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static io.clusterecho.reporting.published.Experiment.BIDIRECTIONAL;
import static io.clusterecho.reporting.published.Experiment.BYTES;
import static io.clusterecho.reporting.published.Experiment.FULL_SPEED;
import static io.clusterecho.reporting.published.Experiment.ONE_LONG;
import static io.clusterecho.reporting.published.Experiment.ONE_WAY;
import static io.clusterecho.reporting.published.Experiment.PING;
import static io.clusterecho.reporting.published.Experiment.PRICE;
import static io.clusterecho.reporting.published.Experiment.PROTOBUF_BYTES;
import static io.clusterecho.reporting.published.Experiment.REQUEST_RESPONSE;
import static io.clusterecho.reporting.published.Experiment.SERVER_STREAM;
import static io.clusterecho.reporting.published.Experiment.THROUGHPUT;
import static io.clusterecho.reporting.published.Experiment.UNARY;

/** What each public report measured, where its table of figures does not say so itself. */
final class PublishedExperiments
{
    private static final Pattern CONCURRENCY = Pattern.compile("(\\d+) concurrent requests$");
    private static final Pattern HEAP = Pattern.compile("heap (\\w+)$");
    private static final Pattern LIMIT = Pattern.compile("max_rate_p99_below_(\\w+)");
    private static final long PRICE_COUNT = 100_000_000;
    /** Names of the systems by source and name in the file. */
    private static final Map<String, String> SYSTEMS = Map.ofEntries(
        Map.entry("rpc-bench-20160920/aeron", Systems.AERON), Map.entry("rpc-bench-20160920/grpc", Systems.GRPC),
        Map.entry("rpc-bench-20160920/grpc-direct-executor", Systems.GRPC_DIRECT),
        Map.entry("rpc-bench-20161024/aeron", Systems.AERON), Map.entry("rpc-bench-20161024/grpc", Systems.GRPC),
        Map.entry("rpc-bench-20161024/kryonet", Systems.KRYONET),
        Map.entry("acapelladb/aeron", Systems.AERON), Map.entry("acapelladb/aeron-protobuf", Systems.AERON_PROTOBUF),
        Map.entry("acapelladb/aeron-rpc", Systems.AERON_RPC), Map.entry("acapelladb/grpc", Systems.GRPC),
        Map.entry("thunder-dome-2/grpc", Systems.GRPC_DIRECT_BOTH),
        Map.entry("thunder-dome-2/http1-ratpack", "HTTP/1.1, Ratpack server"),
        Map.entry("thunder-dome-2/rsocket-proteus", "Proteus on RSocket over TCP"));

    private PublishedExperiments()
    {
    }

    static Experiment of(final PublishedFigure figure)
    {
        final String system = SYSTEMS.getOrDefault(figure.source() + "/" + figure.system(), "");
        return switch (figure.source())
        {
            case "aeron-aws" -> guide(figure);
            case "rpc-bench-20160920", "rpc-bench-20161024" ->
                ("price-stream".equals(figure.test()) ?
                    new Experiment(
                        system, SERVER_STREAM, PRICE, figure.lengthBytes(), Experiment.prices(PRICE_COUNT), figure.metric()) :
                    new Experiment(
                        system, pingStyle(figure), ONE_LONG, "8",
                        figure.ratePerSecond().isEmpty() ? Experiment.closedLoop(1) :
                        Experiment.openLoop(figure.ratePerSecond()), figure.metric())).with(rpcBenchSettings(figure));
            case "acapelladb" -> acapella(figure, system);
            case "thunder-dome-2" -> new Experiment(
                system, "grpc".equals(figure.system()) ? UNARY : REQUEST_RESPONSE, PING, "",
                thunderDomeLoad(figure), metric(figure));
            default -> new Experiment("", "", "", "", "", figure.metric());
        };
    }

    private static Map<String, String> rpcBenchSettings(final PublishedFigure figure)
    {
        final boolean isStream = "price-stream".equals(figure.test());
        return switch (figure.system())
        {
            case "aeron" -> Map.of(Experiment.MTU, "16384");
            case "kryonet" -> isStream ?
                Map.of(Experiment.KRYO, "4.0.0", Experiment.QUEUED, "16 KiB, then waits until idle") :
                Map.of(Experiment.KRYO, "4.0.0");
            // gRPC's default for a stream: the next message is requested after each.
            default -> isStream ? Map.of(Experiment.DEMAND, "1") : Map.of();
        };
    }

    private static Experiment guide(final PublishedFigure figure)
    {
        if (!figure.test().equals("cluster-echo") && !figure.system().startsWith("aeron-"))
        {
            // The guide does not name the other systems nor their messages.
            return new Experiment(
                "", REQUEST_RESPONSE, "", "",
                figure.ratePerSecond().isEmpty() ? "" : Experiment.openLoop(figure.ratePerSecond()), figure.metric());
        }

        final String driver = figure.system().substring("aeron-".length());
        final String system = figure.test().equals("cluster-echo") ?
            Systems.cluster("3", driver, "0", "1408", figure.setup()) : Systems.transport(driver, "8192");
        final Matcher limit = LIMIT.matcher(figure.metric());
        return limit.matches() ?
            new Experiment(
                system, REQUEST_RESPONSE, BYTES, figure.lengthBytes(), "search",
                Experiment.highestRate("p99<" + limit.group(1))) :
            new Experiment(
                system, REQUEST_RESPONSE, BYTES, figure.lengthBytes(), Experiment.openLoop(figure.ratePerSecond()),
                figure.metric());
    }

    /** In September 2016 gRPC made a call for each message, in October it used one stream. */
    private static String pingStyle(final PublishedFigure figure)
    {
        if (!figure.system().startsWith("grpc"))
        {
            return REQUEST_RESPONSE;
        }

        return "rpc-bench-20160920".equals(figure.source()) ? UNARY : BIDIRECTIONAL;
    }

    /** The sweep of concurrency has no length in the table of figures; its calls are of one byte. */
    private static Experiment acapella(final PublishedFigure figure, final String system)
    {
        final Matcher concurrency = CONCURRENCY.matcher(figure.setup());
        final String content = "aeron".equals(figure.system()) ? BYTES : PROTOBUF_BYTES;
        return concurrency.find() ?
            new Experiment(
                system, "grpc".equals(figure.system()) ? UNARY : REQUEST_RESPONSE, content,
                figure.lengthBytes().isEmpty() ? "1" : figure.lengthBytes(),
                Experiment.closedLoop(Long.parseLong(concurrency.group(1))), metric(figure)) :
            new Experiment(system, ONE_WAY, content, figure.lengthBytes(), FULL_SPEED, metric(figure));
    }

    /** The report has the heaps, and its own programs the messages in flight. */
    private static String thunderDomeLoad(final PublishedFigure figure)
    {
        final Matcher matcher = HEAP.matcher(figure.setup());
        final String heap = matcher.find() ? matcher.group(1) : "";
        final String load = switch (figure.system())
        {
            case "http1-ratpack" -> Systems.onConnections(256, 1);
            case "grpc" -> Systems.onConnections(16, 256);
            default -> Systems.onConnections(16, "2g".equals(heap) ? 128 : 192);
        };
        return Systems.withHeap(load, heap);
    }

    private static String metric(final PublishedFigure figure)
    {
        return "throughput".equals(figure.metric()) ? THROUGHPUT : figure.metric();
    }
}
