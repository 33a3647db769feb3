package io.clusterecho.peers.workload;

import java.util.List;
import java.util.Map;

/** The workloads of the suite, each with its metrics and the published figures to compare with. */
enum Workload
{
    /** One message in flight. */
    PING_PONG(
        "ping-pong", "aeron-udp", List.of(Metric.P50, Metric.P99, Metric.MAX), "/roundTripNs", "/ratePerSecond",
        new Published("rpc-bench-20160920", "ping-pong", "16384", Map.of(
            "aeron-udp", "aeron", "grpc", "grpc", "grpc-unary", "grpc", "grpc-direct", "grpc-direct-executor",
            "grpc-unary-direct", "grpc-direct-executor"))),
    /** Messages at a fixed rate. */
    SCHEDULED(
        "scheduled", "aeron-udp", List.of(Metric.P50, Metric.P99, Metric.P99_9), "/responseTimeNs", "/ratePerSecondAchieved",
        new Published(
            "rpc-bench-20161024", "ping-pong", "16384", Map.of("aeron-udp", "aeron", "grpc", "grpc", "kryonet", "kryonet"))),
    /** The same at other rates, up to rates that a system may not sustain. */
    RATE_SWEEP(
        "rate-sweep", "aeron-udp", List.of(Metric.P50, Metric.P99, Metric.P99_9), "/responseTimeNs", "/ratePerSecondAchieved",
        Published.NONE),
    /** Search for the highest rate within a limit on the response time. */
    HIGHEST_RATE("highest-rate", "aeron-udp", List.of(Metric.RATE), "", "/answer/ratePerSecond", Published.NONE),
    /** One request, many prices: the time until the last of them. */
    PRICE_STREAM(
        "price-stream", "aeron-udp", List.of(Metric.RATE, Metric.MAX), "/sinceRequestNs", "/ratePerSecond",
        new Published("rpc-bench-20161024", "price-stream", "16384", Map.of(
            "aeron-udp", "aeron", "grpc", "grpc", "kryonet", "kryonet"))),
    /** One way at full speed, and calls in a closed loop, by message length. */
    SIZE_SWEEP(
        "size-sweep", "aeron-udp", List.of(Metric.RATE), "", "/ratePerSecond",
        new Published("acapelladb", "size-sweep", Published.MTU_NOT_STATED, Map.of(
            "aeron-udp", "aeron", "aeron-protobuf", "aeron-protobuf", "aeron-protobuf-arrays", "aeron-protobuf",
            "aeron-rpc", "aeron-rpc", "aeron-rpc-arrays", "aeron-rpc", "grpc-unary", "grpc"))),
    /** Calls of one byte, by the number of them in flight. */
    CONCURRENCY_SWEEP(
        "concurrency-sweep", "aeron-rpc", List.of(Metric.RATE), "", "/ratePerSecond",
        new Published("acapelladb", "concurrency-sweep", Published.MTU_NOT_STATED, Map.of(
            "aeron-rpc", "aeron-rpc", "aeron-rpc-arrays", "aeron-rpc", "grpc-unary", "grpc"))),
    /** Round trips of a usual length with one and with many messages in flight, replicated systems among others. */
    IN_FLIGHT(
        "in-flight", "aeron-rpc", List.of(Metric.RATE, Metric.P99), "/roundTripNs", "/ratePerSecond", Published.NONE),
    /** Requests and responses with small heaps. */
    MEMORY(
        "memory", "rsocket", List.of(Metric.RATE, Metric.P99_5), "/roundTripNs", "/ratePerSecond",
        new Published("thunder-dome-2", "request-response", Published.MTU_NOT_STATED, Map.of(
            "rsocket", "rsocket-proteus", "grpc-unary-direct-both", "grpc", "http1", "http1-ratpack")));

    private final String label;
    private final String base;
    private final List<Metric> metrics;
    private final String timesPath;
    private final String ratePath;
    private final Published published;

    Workload(
        final String label,
        final String base,
        final List<Metric> metrics,
        final String timesPath,
        final String ratePath,
        final Published published)
    {
        this.label = label;
        this.base = base;
        this.metrics = metrics;
        this.timesPath = timesPath;
        this.ratePath = ratePath;
        this.published = published;
    }

    String label()
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
        return Metric.RATE == metric ? ratePath : timesPath + "/" + metric.label();
    }

    /** The published figures of the same workload. */
    Published published()
    {
        return published;
    }

    enum Metric
    {
        /** Messages per second. */
        RATE("rate", "throughput", "msg/s"),
        /** Median. */
        P50("p50", "p50", "ns"),
        /** 99th percentile. */
        P99("p99", "p99", "ns"),
        /** 99.5th percentile. */
        P99_5("p99.5", "p99.5", "ns"),
        /** 99.9th percentile. */
        P99_9("p99.9", "p99.9", "ns"),
        /** Largest value. */
        MAX("max", "max", "ns");

        private final String label;
        private final String publishedName;
        private final String unit;

        Metric(final String label, final String publishedName, final String unit)
        {
            this.label = label;
            this.publishedName = publishedName;
            this.unit = unit;
        }

        String label()
        {
            return label;
        }

        String publishedName()
        {
            return publishedName;
        }

        String unit()
        {
            return unit;
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
