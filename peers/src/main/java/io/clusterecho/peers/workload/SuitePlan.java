package io.clusterecho.peers.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.clusterecho.peers.grpc.GrpcPeer;
import io.clusterecho.peers.session.InFlight;
import io.clusterecho.reporting.confidence.SteadyRule;
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

    /**
     * The cells, ordered by group.
     *
     * @param isFull    whether at full size.
     * @param scale     factor on counts and durations, 1 for those of the size.
     * @param systems   to run, empty for all.
     */
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
                case RATE_SWEEP -> plan.rateSweep();
                case HIGHEST_RATE -> plan.highestRate();
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
            Workload.PING_PONG, "", "", List.of(system), HEAP,
            pingPong(1, 1, PING_LENGTH, isFull ? 1_000_000 : MOST_MESSAGES, isFull ? 3_600 : 5, system)));
    }

    private void scheduled()
    {
        atRate(Workload.SCHEDULED, 10_000, PING_LENGTH);
    }

    private void rateSweep()
    {
        final List<Integer> rates = isFull ? List.of(1_000, 3_000, 30_000, 100_000, 300_000, 1_000_000) : List.of(1_000, 50_000);
        rates.forEach((rate) -> atRate(Workload.RATE_SWEEP, rate, LENGTH));
    }

    private void atRate(final Workload workload, final int ratePerSecond, final int length)
    {
        ALL.forEach((system) -> add(
            workload, String.format(Locale.ROOT, "%,d/s", ratePerSecond), "", List.of(system), HEAP,
            oneByOne(system, pooled(
                system, "run", "--rate", String.valueOf(ratePerSecond), "--size", String.valueOf(length),
                "--warm-up", warmUp(system), "--duration", time(isFull ? 60 : 5), "--quiet",
                // As the clients of all other systems and loads.
                "--compilers", "both", "--duty-cycle-interval", "0us"))));
    }

    /**
     * The limit is on p99 at full size. A small machine has long tails at any rate, so there the limit is on the median, which
     * grows without bound if a system does not keep up.
     */
    private void highestRate()
    {
        final String condition = isFull ? "p99<10ms" : "p50<10ms";
        ALL.forEach((system) -> add(
            Workload.HIGHEST_RATE, condition, "", List.of(system), HEAP,
            atFullSpeed(system, pooled(
                system, "max-rate", "--slo", condition, "--rate", "10k", "--size", String.valueOf(LENGTH),
                "--resolution", isFull ? "5%" : "15%",
                "--warm-up", warmUp(system), "--later-warm-up", time(isFull ? 2 : 0.5), "--duration",
                time(isFull ? 10 : 1.5), "--pass", isFull ? "90%" : "50%",
                "--pause", time(isFull ? 1 : 0.2), "--drain-timeout", "2s", "--quiet",
                "--duty-cycle-interval", "0us"))));
    }

    /** A client of HTTP/1.1 has a pool of connections, since each carries one message at a time. */
    private static List<String> pooled(final String system, final String... arguments)
    {
        final List<String> all = new ArrayList<>(List.of(arguments));
        if (HTTP.equals(system))
        {
            all.addAll(List.of("--connections", String.valueOf(POOL_SIZE)));
        }
        return all;
    }

    private void priceStream()
    {
        final long count = count(isFull ? 100_000_000 : 1_000_000);
        for (final String system : PRICES)
        {
            final List<String> arguments =
                new ArrayList<>(List.of("price-stream", "--count", String.valueOf(count), "--warm-up", warmUp(system)));
            if (system.startsWith("grpc"))
            {
                // As in the report.
                arguments.addAll(List.of("--transport-set", GrpcPeer.DEMAND.key() + "=1"));
            }
            add(Workload.PRICE_STREAM, count + " prices", "28", List.of(system), HEAP, atFullSpeed(system, arguments));
        }
    }

    private void sizeSweep()
    {
        for (int size = 1; size <= 128 * 1024; size *= isFull ? 2 : 8)
        {
            for (final String system : SIZES)
            {
                add(
                    Workload.SIZE_SWEEP, size + " bytes", String.valueOf(size), List.of(system), HEAP,
                    List.of(
                        "one-way", "--size", String.valueOf(size), "--warm-up", warmUp(system), "--duration",
                        time(isFull ? 10 : 1.5)));
            }
            for (final String system : CALLED)
            {
                calls(
                    Workload.SIZE_SWEEP, size + " bytes", String.valueOf(size), system, size,
                    "grpc-unary".equals(system) ? GRPC_CONCURRENCY : RPC_CONCURRENCY);
            }
        }
    }

    private void calls(
        final Workload workload,
        final String setup,
        final String payload,
        final String system,
        final int size,
        final int concurrency)
    {
        final List<String> arguments = new ArrayList<>(List.of(
            "calls", "--size", String.valueOf(size), "--concurrency", String.valueOf(concurrency), "--warm-up", warmUp(system),
            "--duration", time(isFull ? 10 : 1.5)));
        add(
            workload, setup, payload, List.of(system), HEAP,
            waiting(concurrency, system, bounded(concurrency, system, arguments)));
    }

    private void concurrencySweep()
    {
        for (int concurrency = 1; concurrency <= 1024; concurrency *= isFull ? 2 : 4)
        {
            for (final String system : CALLED)
            {
                calls(Workload.CONCURRENCY_SWEEP, concurrency + " concurrent requests", "", system, 1, concurrency);
            }
        }
    }

    private void inFlight()
    {
        for (final int concurrency : new int[]{ 1, 256 })
        {
            for (final String system : IN_FLIGHT)
            {
                // HTTP/1.1 has one request at a time on each connection.
                add(
                    Workload.IN_FLIGHT, concurrency + " in flight", "", List.of(system), HEAP,
                    bounded(concurrency, system, pingPong(
                        concurrency, HTTP.equals(system) ? concurrency : 1, LENGTH, MOST_MESSAGES, 10, system)));
            }
        }
    }

    private static List<String> bounded(final int concurrency, final String system, final List<String> arguments)
    {
        if (BOUNDED.contains(system))
        {
            arguments.addAll(List.of("--transport-set", InFlight.SETTING.key() + "=" + concurrency));
        }
        return arguments;
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
        final List<String> arguments = new ArrayList<>(pingPong(
            connections * inFlightOnEach, connections, PING_LENGTH, MOST_MESSAGES, isFull ? 3_600 : 10, system));
        if (!HTTP.equals(system))
        {
            arguments.addAll(List.of("--transport-set", InFlight.SETTING.key() + "=" + inFlightOnEach));
        }
        add(Workload.MEMORY, "heap " + heap, "", List.of(system), heap, arguments);
    }

    private List<String> pingPong(
        final int concurrency,
        final int connections,
        final int length,
        final long messageCount,
        final double timeLimitSeconds,
        final String system)
    {
        final List<String> arguments = new ArrayList<>(List.of(
            "ping-pong", "--size", String.valueOf(length), "--concurrency", String.valueOf(concurrency), "--connections",
            String.valueOf(connections), "--count", String.valueOf(count(messageCount)), "--time-limit",
            time(timeLimitSeconds)));
        if (isWarmUpAuto(system))
        {
            arguments.addAll(List.of("--warm-up", warmUp(system)));
        }
        else
        {
            arguments.addAll(List.of("--warm-up-count", String.valueOf(Math.min(concurrency, 32) * count(3_000))));
        }
        return waiting(concurrency, system, arguments);
    }

    private static List<String> waiting(final int concurrency, final String system, final List<String> arguments)
    {
        return concurrency < MANY ? oneByOne(system, arguments) : atFullSpeed(system, arguments);
    }

    /** Arguments of a load that is limited by the time of each message. */
    private static List<String> oneByOne(final String system, final List<String> arguments)
    {
        return idle(LONG.contains(system), arguments);
    }

    /** Arguments of a load that is limited by throughput. */
    private static List<String> atFullSpeed(final String system, final List<String> arguments)
    {
        return idle(LONG.contains(system) || SLEEPING_AT_FULL_SPEED.contains(system), arguments);
    }

    private static List<String> idle(final boolean isSleeping, final List<String> arguments)
    {
        final List<String> all = new ArrayList<>(arguments);
        if (isSleeping && Cores.areFew())
        {
            all.addAll(List.of("--idle", "backoff"));
        }
        return all;
    }

    private void add(
        final Workload workload,
        final String setup,
        final String payload,
        final List<String> names,
        final String heap,
        final List<String> arguments)
    {
        for (final String name : names)
        {
            if (systems.isEmpty() || systems.contains(name))
            {
                cells.add(new WorkloadCell(workload, setup, payload, name, heap, arguments));
            }
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
