package io.clusterecho.peers.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.clusterecho.peers.grpc.GrpcPeer;
import io.clusterecho.peers.session.QueuedConnector;
import io.clusterecho.reporting.confidence.SteadyRule;
import io.clusterecho.settings.Setting;
import io.clusterecho.threads.Cores;

/** The cells of the suite, at a size for a small machine or at full size. */
final class SuitePlan
{
    private static final List<String> ALL = List.of(
        "aeron-udp", "aeron-ipc", "aeron-cluster", "aeron-cluster-fsync-1", "aeron-cluster-fsync-2", "aeron-cluster-unplaced",
        "grpc", "grpc-direct", "grpc-unary", "grpc-unary-direct", "grpc-unary-direct-both", "grpc-tls", "kryonet", "rsocket",
        "rsocket-channel", "http1",
        "aeron-protobuf", "aeron-protobuf-arrays", "aeron-rpc", "aeron-rpc-arrays", "ratis", "ratis-memory", "etcd");
    private static final List<String> PRICES = List.of(
        "aeron-udp", "aeron-ipc", "grpc", "grpc-direct", "kryonet", "rsocket");
    private static final List<String> SIZES = List.of("aeron-udp", "aeron-protobuf", "aeron-protobuf-arrays");
    /** Calls in flight of the report's sweep of sizes. */
    private static final int RPC_CONCURRENCY = 64;
    private static final int GRPC_CONCURRENCY = 128;
    /** Systems that a report measures by the number of calls of one byte in flight. */
    private static final List<String> CALLED = List.of("aeron-rpc", "aeron-rpc-arrays", "grpc-unary");
    /** Systems whose calls are in flight without back pressure, up to a setting. */
    private static final List<String> BOUNDED = List.of("grpc-unary", "rsocket");
    private static final String HTTP = "http1";
    private static final String HEAP = "1g";
    /** Usual length of a message in bytes, that of the guide to measuring Aeron on AWS. */
    private static final int LENGTH = 288;
    /** Length of the shortest message in bytes, where a report has one long or does not state a length. */
    private static final int PING_LENGTH = 32;
    private static final int REPORTED_CONNECTIONS = 16;
    /** Connections of HTTP/1.1, with one message each. */
    private static final int POOL_SIZE = 256;
    /** Longest warm-up, in seconds: of a system with one process, and of one whose members compile more than two cores can. */
    private static final double WARM_UP_SECONDS = 60;
    private static final double LONG_WARM_UP_SECONDS = 180;
    /** Shortest warm-up of {@link #COLD} in seconds: young members look steady, and are several times as fast after 90 s. */
    private static final double COLD_WARM_UP_SECONDS = 90;
    /** One system of each kind, and those of three members. */
    private static final List<String> IN_FLIGHT = List.of(
        "aeron-rpc", "grpc-unary", "rsocket", "http1", "aeron-cluster", "aeron-cluster-fsync-1", "aeron-cluster-fsync-2",
        "aeron-cluster-unplaced", "ratis", "ratis-memory", "etcd");
    private static final List<String> LONG = List.of("ratis", "ratis-memory", "etcd");
    private static final List<String> COLD = List.of("ratis", "ratis-memory");
    /**
     * Systems whose client takes replies on a thread that sleeps while it waits, where cores are few: these with many messages in
     * flight, and those of {@link #LONG} always. A thread that yields takes too much time from their own. Others are slower so;
     * docs/PEERS.md has what was measured.
     */
    private static final List<String> SLEEPING_AT_FULL_SPEED =
        List.of("grpc", "grpc-direct", "grpc-unary", "grpc-unary-direct", "grpc-unary-direct-both", "grpc-tls");
    /** More round trips than any system makes until the limit on time, so that all are measured for the same time. */
    private static final long MOST_MESSAGES = 100_000_000;
    /** Messages in flight that are many. */
    private static final int MANY = 8;

    private final boolean isFull;
    private final double scale;
    private final Set<String> systems;
    private final List<WorkloadCell> cells = new ArrayList<>();

    private SuitePlan(final boolean isFull, final double scale, final Set<String> systems)
    {
        this.isFull = isFull;
        this.scale = scale;
        this.systems = systems;
    }

    /** The cells of some systems, or of all if these are empty, ordered by group; a scale of 1 keeps counts and durations. */
    static List<WorkloadCell> cells(
        final boolean isFull, final double scale, final Set<Workload> workloads, final Set<String> systems)
    {
        final SuitePlan plan = new SuitePlan(isFull, scale, systems);
        for (final Workload workload : workloads)
        {
            switch (workload)
            {
                case PING_PONG -> plan.pingPong();
                case SCHEDULED -> plan.scheduled();
                case PRICE_STREAM -> plan.priceStream();
                case SIZE_SWEEP -> plan.sizeSweep();
                case CONCURRENCY_SWEEP -> plan.concurrencySweep();
                case IN_FLIGHT -> plan.inFlight();
                default -> plan.memory();
            }
        }

        return plan.cells;
    }

    /** All systems of the suite. */
    static List<String> systems()
    {
        return ALL;
    }

    private void pingPong()
    {
        ALL.forEach((system) -> add(
            Workload.PING_PONG, "", "", system, HEAP, 1,
            pingPong(1, 1, PING_LENGTH, isFull ? 1_000_000 : MOST_MESSAGES, isFull ? 3_600 : 5, system)));
    }

    private void scheduled()
    {
        // Compilers and duty cycle as of the clients of all other systems and loads.
        ALL.forEach((system) -> add(
            Workload.SCHEDULED, "10,000/s", "", system, HEAP, 1,
            "run --rate 10000 --size " + PING_LENGTH + " --warm-up " + warmUp(system) + " --duration " + time(isFull ? 60 : 5) +
            " --quiet --compilers both --duty-cycle-interval 0us" + (HTTP.equals(system) ? " --connections " + POOL_SIZE : "")));
    }

    private void priceStream()
    {
        final long count = count(isFull ? 100_000_000 : 1_000_000);
        // gRPC's demand is that of the report.
        PRICES.forEach((system) -> add(
            Workload.PRICE_STREAM, count + " prices", "28", system, HEAP, MANY,
            "price-stream --count " + count + " --warm-up " + warmUp(system) +
            (system.startsWith("grpc") ? set(GrpcPeer.DEMAND, 1) : "")));
    }

    private void sizeSweep()
    {
        for (int size = 1; size <= 128 * 1024; size *= isFull ? 2 : 8)
        {
            final String payload = String.valueOf(size);
            // The client of one-way messages always yields.
            SIZES.forEach((system) -> add(
                Workload.SIZE_SWEEP, payload + " bytes", payload, system, HEAP, 1,
                "one-way --size " + payload + " --warm-up " + warmUp(system) + " --duration " + time(isFull ? 10 : 1.5)));
            CALLED.forEach((system) -> calls(
                Workload.SIZE_SWEEP, payload + " bytes", payload, system, payload,
                "grpc-unary".equals(system) ? GRPC_CONCURRENCY : RPC_CONCURRENCY));
        }
    }

    private void concurrencySweep()
    {
        for (int concurrency = 1; concurrency <= 1024; concurrency *= isFull ? 2 : 4)
        {
            for (final String system : CALLED)
            {
                calls(Workload.CONCURRENCY_SWEEP, concurrency + " concurrent requests", "", system, "1", concurrency);
            }
        }
    }

    private void calls(
        final Workload workload,
        final String setup,
        final String payload,
        final String system,
        final String size,
        final int concurrency)
    {
        add(
            workload, setup, payload, system, HEAP, concurrency,
            "calls --size " + size + " --concurrency " + concurrency + " --warm-up " + warmUp(system) + " --duration " +
            time(isFull ? 10 : 1.5) + bounded(concurrency, system));
    }

    private void inFlight()
    {
        for (final int concurrency : new int[]{ 1, 256 })
        {
            // HTTP/1.1 has one request at a time on each connection.
            IN_FLIGHT.forEach((system) -> add(
                Workload.IN_FLIGHT, concurrency + " in flight", "", system, HEAP, concurrency,
                pingPong(concurrency, HTTP.equals(system) ? concurrency : 1, LENGTH, MOST_MESSAGES, 10, system) +
                bounded(concurrency, system)));
        }
    }

    /** Connections, and messages in flight on each, are those of the report's own programs. */
    private void memory()
    {
        for (final String heap : List.of("2g", "128m", "92m"))
        {
            ping(heap, "rsocket", REPORTED_CONNECTIONS, "2g".equals(heap) ? 128 : 192);
            ping(heap, "grpc-unary-direct-both", REPORTED_CONNECTIONS, 256);
            ping(heap, HTTP, POOL_SIZE, 1);
        }
    }

    private void ping(final String heap, final String system, final int connections, final int inFlightOnEach)
    {
        add(
            Workload.MEMORY, "heap " + heap, "", system, heap, MANY,
            pingPong(
                connections * inFlightOnEach, connections, PING_LENGTH, MOST_MESSAGES, isFull ? 3_600 : 10, system) +
            (HTTP.equals(system) ? "" : set(QueuedConnector.IN_FLIGHT, inFlightOnEach)));
    }

    private String pingPong(
        final int concurrency,
        final int connections,
        final int length,
        final long messageCount,
        final double timeLimitSeconds,
        final String system)
    {
        return "ping-pong --size " + length + " --concurrency " + concurrency + " --connections " + connections + " --count " +
            count(messageCount) + " --time-limit " + time(timeLimitSeconds) + (isWarmUpAuto(system) ?
            " --warm-up " + warmUp(system) : " --warm-up-count " + Math.min(concurrency, 32) * count(3_000));
    }

    private static String bounded(final int concurrency, final String system)
    {
        return BOUNDED.contains(system) ? set(QueuedConnector.IN_FLIGHT, concurrency) : "";
    }

    private static String set(final Setting<?> setting, final int value)
    {
        return " --transport-set " + setting.key() + "=" + value;
    }

    /** @param concurrency messages in flight, which decides how the client waits. */
    private void add(
        final Workload workload,
        final String setup,
        final String payload,
        final String system,
        final String heap,
        final int concurrency,
        final String arguments)
    {
        if (systems.isEmpty() || systems.contains(system))
        {
            final boolean isSleeping = Cores.areFew() &&
                (LONG.contains(system) || concurrency >= MANY && SLEEPING_AT_FULL_SPEED.contains(system));
            cells.add(new WorkloadCell(
                workload, setup, payload, system, heap,
                List.of((arguments + (isSleeping ? " --idle backoff" : "")).split(" "))));
        }
    }

    /** The warm-up of a run: until it is steady, or a time where that is too short to show it. */
    private String warmUp(final String system)
    {
        if (!isWarmUpAuto(system))
        {
            return time(4);
        }

        final boolean hasShortest =
            COLD.contains(system) && COLD_WARM_UP_SECONDS * scale * 1e9 > SteadyRule.MIN_LENGTH_NS;
        return "auto:" + (hasShortest ? time(COLD_WARM_UP_SECONDS) + ".." : "") + time(longestWarmUp(system));
    }

    private boolean isWarmUpAuto(final String system)
    {
        return longestWarmUp(system) * scale * 1e9 > SteadyRule.MIN_LENGTH_NS;
    }

    private static double longestWarmUp(final String system)
    {
        return LONG.contains(system) ? LONG_WARM_UP_SECONDS : WARM_UP_SECONDS;
    }

    private long count(final long full)
    {
        return Math.max(1, Math.round(full * scale));
    }

    private String time(final double seconds)
    {
        return Math.max(100, Math.round(seconds * 1_000 * scale)) + "ms";
    }
}
