package io.clusterecho.peers.workload;

import java.util.List;
import java.util.Map;

/** The workloads of the suite, each with its metrics and the published figures to compare with. */
enum Workload
{
    /** One message in flight. */
    PING_PONG(
        "ping-pong", "aeron-udp", List.of(Metric.P50, Metric.P99, Metric.MAX), "/roundTripNs",
        new Published("rpc-bench-20160920", "ping-pong", "16384", Map.of(
            "aeron-udp", "aeron", "grpc", "grpc", "grpc-unary", "grpc", "grpc-direct", "grpc-direct-executor",
            "grpc-unary-direct", "grpc-direct-executor"))),
    /** Messages at a fixed rate. */
    SCHEDULED(
        "scheduled", "aeron-udp", List.of(Metric.P50, Metric.P99, Metric.P99_9), "/responseTimeNs",
        new Published(
            "rpc-bench-20161024", "ping-pong", "16384", Map.of("aeron-udp", "aeron", "grpc", "grpc", "kryonet", "kryonet"))),
    /** One request, many prices: the time until the last of them. */
    PRICE_STREAM(
        "price-stream", "aeron-udp", List.of(Metric.RATE, Metric.MAX), "/sinceRequestNs",
        new Published("rpc-bench-20161024", "price-stream", "16384", Map.of(
            "aeron-udp", "aeron", "grpc", "grpc", "kryonet", "kryonet"))),
    /** One way at full speed, and calls in a closed loop, by message length. */
    SIZE_SWEEP(
        "size-sweep", "aeron-udp", List.of(Metric.RATE), "",
        new Published("acapelladb", "size-sweep", Published.MTU_NOT_STATED, Map.of(
            "aeron-udp", "aeron", "aeron-protobuf", "aeron-protobuf", "aeron-protobuf-arrays", "aeron-protobuf",
            "aeron-rpc", "aeron-rpc", "aeron-rpc-arrays", "aeron-rpc", "grpc-unary", "grpc"))),
    /** Calls of one byte, by the number of them in flight. */
    CONCURRENCY_SWEEP(
        "concurrency-sweep", "aeron-rpc", List.of(Metric.RATE), "",
        new Published("acapelladb", "concurrency-sweep", Published.MTU_NOT_STATED, Map.of(
            "aeron-rpc", "aeron-rpc", "aeron-rpc-arrays", "aeron-rpc", "grpc-unary", "grpc"))),
    /** Round trips of a usual length with one and with many messages in flight, replicated systems among others. */
    IN_FLIGHT(
        "in-flight", "aeron-rpc", List.of(Metric.RATE, Metric.P99), "/roundTripNs", Published.NONE),
    /** Requests and responses with small heaps. */
    MEMORY(
        "memory", "rsocket", List.of(Metric.RATE, Metric.P99_5), "/roundTripNs",
        new Published("thunder-dome-2", "request-response", Published.MTU_NOT_STATED, Map.of(
            "rsocket", "rsocket-proteus", "grpc-unary-direct-both", "grpc", "http1", "http1-ratpack")));

    private final String label;
    private final String base;
    private final List<Metric> metrics;
    private final String timesPath;
    private final Published published;

    Workload(final String label, final String base, final List<Metric> metrics, final String timesPath, final Published published)
    {
        this.label = label;
        this.base = base;
        this.metrics = metrics;
        this.timesPath = timesPath;
        this.published = published;
    }

    String label()
    {
        return label;
    }

    /** The label, which picocli reads. */
    @Override
    public String toString()
    {
        return label;
    }

    /** The system with which the others are compared. */
    String base()
    {
        return base;
    }

    List<Metric> metrics()
    {
        return metrics;
    }

    /** JSON pointer to a metric in the client's result. */
    String pointer(final Metric metric)
    {
        return Metric.RATE == metric ? "/ratePerSecond" : timesPath + "/" + metric.label();
    }

    /** The published figures of the same workload. */
    Published published()
    {
        return published;
    }

    enum Metric
    {
        RATE("rate"), P50("p50"), P99("p99"), P99_5("p99.5"), P99_9("p99.9"), MAX("max");

        private final String label;

        Metric(final String label)
        {
            this.label = label;
        }

        String label()
        {
            return label;
        }

        String publishedName()
        {
            return RATE == this ? "throughput" : label;
        }

        String unit()
        {
            return RATE == this ? "msg/s" : "ns";
        }
    }

    /**
     * A test in a public report.
     *
     * @param aeronMtu of the systems of plain Aeron in bytes. No report has the cluster, which keeps its own.
     * @param systems  our names to those in the report.
     */
    record Published(String source, String test, String aeronMtu, Map<String, String> systems)
    {
        /** Aeron's default, for a report that does not state it. */
        static final String MTU_NOT_STATED = "1408";
        /** No report has this workload; the MTU is that of a cluster on loopback. */
        static final Published NONE = new Published("", "", "8192", Map.of());
    }
}
