package io.clusterecho.peers.workload;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import io.clusterecho.peers.Facts;
import io.clusterecho.peers.grpc.GrpcPeer;
import io.clusterecho.peers.kryonet.KryonetPeer;
import io.clusterecho.peers.server.Prices;
import io.clusterecho.reporting.published.Experiment;
import io.clusterecho.reporting.published.PublishedFigure;
import io.clusterecho.reporting.published.PublishedFigures;
import io.clusterecho.reporting.published.PublishedRatio;

/** The published figures that are nearest to cells of the suite. */
record CellFigures(PublishedFigures figures)
{
    /** Systems whose names differ from those of the suite. */
    private static final Map<String, String> SYSTEMS = Map.ofEntries(
        Map.entry("aeron-udp", "Aeron, Java driver"),
        Map.entry("aeron-protobuf", "Aeron, Java driver, with Protobuf through streams"),
        Map.entry("aeron-protobuf-arrays", "Aeron, Java driver, with Protobuf through arrays"),
        Map.entry("aeron-rpc", "calls over Aeron, Java driver, with Protobuf through streams"),
        Map.entry("aeron-rpc-arrays", "calls over Aeron, Java driver, with Protobuf through arrays"),
        Map.entry("grpc", "gRPC"),
        Map.entry("grpc-direct", "gRPC with direct executors on both sides"),
        Map.entry("grpc-unary", "gRPC"),
        Map.entry("grpc-unary-direct", "gRPC with a direct executor on the server"),
        Map.entry("grpc-unary-direct-both", "gRPC with direct executors on both sides"),
        Map.entry("grpc-tls", "gRPC over TLS"),
        Map.entry("kryonet", "KryoNet"),
        Map.entry("http1", "HTTP/1.1, reactor-netty server"),
        Map.entry("rsocket", "RSocket over TCP"));
    private static final List<String> PROTOBUF = List.of(
        "aeron-protobuf", "aeron-protobuf-arrays", "aeron-rpc", "aeron-rpc-arrays", "grpc", "grpc-direct", "grpc-tls",
        "grpc-unary", "grpc-unary-direct", "grpc-unary-direct-both");
    /** No report states a length of its small messages; longer ones are not called small here. */
    private static final int MAX_PING_LENGTH = 64;

    /**
     * The published ratio to put beside the ratio of a cell to the base of its group.
     *
     * @param base   of the group, or null if it was not run.
     * @return with what differs if the report did not measure the same.
     */
    PublishedRatio ratio(final WorkloadCell cell, final WorkloadCell base, final Workload.Metric metric)
    {
        // The reports contain the time of the last price instead of a rate; all systems sent the same number.
        final boolean isInverse = Workload.PRICE_STREAM == cell.workload() && Workload.Metric.RATE == metric;
        final String name = isInverse ? Workload.Metric.MAX.publishedName() : metric.publishedName();
        final Optional<PublishedFigure> own = figure(cell, name);
        final Optional<PublishedFigure> other = null == base ? Optional.empty() : figure(base, name);
        if (own.isEmpty() || other.isEmpty())
        {
            return PublishedRatio.NONE;
        }

        final PublishedRatio ratio = PublishedRatio.of(side(cell, own.get(), name), side(base, other.get(), name));
        return isInverse ? ratio.inverse() : ratio;
    }

    /** Why no published ratio is shown, a phrase for each difference; the base is null if it was not run. */
    List<String> differences(final WorkloadCell cell, final WorkloadCell base)
    {
        return distinct(cell, base, PublishedRatio::differences);
    }

    /** What the report does not state although its ratio is shown; the base is null if it was not run. */
    List<String> notStated(final WorkloadCell cell, final WorkloadCell base)
    {
        return distinct(cell, base, (ratio) -> ratio.ratio().isPresent() ? ratio.notStated() : List.of());
    }

    private List<String> distinct(
        final WorkloadCell cell, final WorkloadCell base, final Function<PublishedRatio, List<String>> phrases)
    {
        return cell.workload().metrics().stream()
            .flatMap((metric) -> phrases.apply(ratio(cell, base, metric)).stream()).distinct().toList();
    }

    private static PublishedRatio.Side side(final WorkloadCell cell, final PublishedFigure figure, final String metric)
    {
        final String ours = Workload.Metric.RATE.publishedName().equals(metric) ? Experiment.THROUGHPUT : metric;
        return new PublishedRatio.Side(experiment(cell, ours), figure);
    }

    private Optional<PublishedFigure> figure(final WorkloadCell cell, final String metric)
    {
        final Workload.Published published = cell.workload().published();
        final String system = published.systems().get(cell.system());
        final String suffix = switch (cell.workload())
        {
            case CONCURRENCY_SWEEP, MEMORY -> " " + cell.setup();
            default -> "";
        };
        return null == system ? Optional.empty() : figures.find(
            published.source(), system, published.test(), (setup) -> setup.endsWith(suffix), cell.payload(), metric);
    }

    /** What a cell measures, in the terms of public reports, read from the arguments of its client. */
    static Experiment experiment(final WorkloadCell cell, final String metric)
    {
        final String system = SYSTEMS.getOrDefault(cell.system(), cell.system());
        return new Experiment(system, callStyle(cell), content(cell), length(cell), load(cell), metric, settings(cell));
    }

    private static Map<String, String> settings(final WorkloadCell cell)
    {
        final boolean isStream = Workload.PRICE_STREAM == cell.workload();
        if ("kryonet".equals(cell.system()))
        {
            final String kryo = Facts.version("kryo");
            return isStream ?
                Map.of(Experiment.KRYO, kryo, Experiment.QUEUED, (KryonetPeer.IN_FLIGHT_LENGTH >> 20) + " MiB") :
                Map.of(Experiment.KRYO, kryo);
        }
        if (isStream && cell.system().startsWith("grpc"))
        {
            return Map.of(Experiment.DEMAND, cell.argument("--transport-set").substring(GrpcPeer.DEMAND.key().length() + 1));
        }
        return cell.system().startsWith("aeron-") && !ClusterVariant.isCluster(cell.system()) ?
            Map.of(Experiment.MTU, cell.workload().published().aeronMtu()) : Map.of();
    }

    private static String callStyle(final WorkloadCell cell)
    {
        return switch (cell.arguments().get(0))
        {
            case "one-way" -> Experiment.ONE_WAY;
            case "price-stream" -> Experiment.SERVER_STREAM;
            default -> switch (cell.system())
            {
                case "grpc", "grpc-direct", "grpc-tls", "rsocket-channel" -> Experiment.BIDIRECTIONAL;
                case "grpc-unary", "grpc-unary-direct", "grpc-unary-direct-both" -> Experiment.UNARY;
                default -> Experiment.REQUEST_RESPONSE;
            };
        };
    }

    private static String content(final WorkloadCell cell)
    {
        if (Workload.PRICE_STREAM == cell.workload())
        {
            return "rsocket".equals(cell.system()) ? "a price of one long and five ints in SBE" : Experiment.PRICE;
        }
        if (Workload.MEMORY == cell.workload() && Integer.parseInt(length(cell)) <= MAX_PING_LENGTH)
        {
            return Experiment.PING;
        }

        return PROTOBUF.contains(cell.system()) ? Experiment.PROTOBUF_BYTES : Experiment.BYTES;
    }

    private static String length(final WorkloadCell cell)
    {
        return Workload.PRICE_STREAM == cell.workload() ? String.valueOf(Prices.CONTENT_LENGTH) : cell.argument("--size");
    }

    private static String load(final WorkloadCell cell)
    {
        return switch (cell.arguments().get(0))
        {
            case "run" -> Experiment.openLoop(cell.argument("--rate"));
            case "one-way" -> Experiment.FULL_SPEED;
            case "price-stream" -> Experiment.prices(Long.parseLong(cell.argument("--count")));
            default -> closedLoop(cell);
        };
    }

    private static String closedLoop(final WorkloadCell cell)
    {
        final long concurrency = Long.parseLong(cell.argument("--concurrency"));
        if (Workload.MEMORY != cell.workload())
        {
            return Experiment.closedLoop(concurrency);
        }

        final long connections = Long.parseLong(cell.argument("--connections"));
        return "closed loop, " + connections + " connections, " + concurrency / connections + " in flight on each, heaps of " +
            cell.heap();
    }
}
