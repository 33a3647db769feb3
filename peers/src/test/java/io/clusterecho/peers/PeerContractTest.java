package io.clusterecho.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.clusterecho.client.load.Delivery;
import io.clusterecho.client.load.LoadExecution;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.load.LoadResult;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.client.transport.TransportKind;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.peers.command.Peers;
import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.Launch;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;
import io.clusterecho.testing.Need;
import io.clusterecho.threads.AgentThreads;

import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of each transport, with its server in a separate process. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PeerContractTest
{
    private static final int LAST = Integer.MAX_VALUE;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long CONNECT_TIMEOUT_NS = 30 * SECOND_NS;
    private static final long INTERVAL_NS = SECOND_NS / 10;
    private static final int SESSION_COUNT = 3;

    @TempDir
    private static Path folder;

    private static final boolean IS_SLOW = Boolean.getBoolean("test.slow");
    private static final List<String> EACH_WAY = List.of(
        "aeron-udp", "aeron-ipc", "aeron-rpc", "grpc", "kryonet", "rsocket", "http1", "ratis-memory", "etcd");

    /** One server of each peer for all tests that do not kill it. */
    private static final Map<String, ServedPeer> SERVERS = new TreeMap<>();

    /**
     * One peer for each way to send and to receive; all peers with {@code -Pslow}. Peers that cannot run on this machine are
     * left out, and {@link #shouldBeServed} is skipped for them with the reason.
     */
    static Stream<Peer> peers()
    {
        return wantedPeers().filter(PeerContractTest::isHere);
    }

    private static boolean isHere(final Peer peer)
    {
        return !"etcd".equals(peer.name()) || Launch.find("etcd").isPresent();
    }

    static Stream<Peer> wantedPeers()
    {
        return Peer.all().stream().filter((peer) -> IS_SLOW || EACH_WAY.contains(peer.name()));
    }

    /** Without groups of three, which are slow under overload; with {@code -Pslow} all. */
    static Stream<Peer> boundedPeers()
    {
        return peers().filter((peer) -> IS_SLOW || 1 == peer.serverCount());
    }

    static Stream<Peer> pricePeers()
    {
        return peers().filter((peer) -> peer.loads().contains(TransportKind.PRICE_STREAM));
    }

    static Stream<Peer> oneWayPeers()
    {
        return peers().filter((peer) -> peer.loads().contains(TransportKind.ONE_WAY));
    }

    static Stream<Peer> callPeers()
    {
        return peers().filter((peer) -> peer.loads().contains(TransportKind.CALLS));
    }

    @AfterAll
    static void stopServers()
    {
        SERVERS.values().forEach(ServedPeer::close);
        SERVERS.clear();
    }

    @Test
    void shouldKnowPeersByDifferentNames()
    {
        assertThat(new Peer.Names()).doesNotHaveDuplicates().containsAll(EACH_WAY).hasSizeGreaterThan(EACH_WAY.size());
    }

    @ParameterizedTest
    @MethodSource("wantedPeers")
    void shouldBeServed(final Peer peer)
    {
        Need.of("etcd").check(isHere(peer), "etcd is not in PATH");
        assertThat(server(peer).endpoints()).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("peers")
    void shouldAnswerEachMessageOnceInOrderAndIntact(final Peer peer)
    {
        try (Load load = new Load(peer, server(peer).endpoints(), SESSION_COUNT, 2_000, 288, 1_500, SECOND_NS * 60))
        {
            final LoadOutcome outcome = load.run();
            assertAllAnswered(outcome, 1_500);
            assertThat(outcome.of(Counter.RECONNECTS)).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("peers")
    void shouldCarryLongMessages(final Peer peer)
    {
        try (Load load = new Load(peer, server(peer).endpoints(), 1, 200, 100_000, 60, SECOND_NS * 10))
        {
            assertAllAnswered(load.run(), 60);
        }
    }

    @ParameterizedTest
    @MethodSource("boundedPeers")
    void shouldCountBackPressureAndLoseNothingByIt(final Peer peer)
    {
        final ServedPeer server = server(peer);
        // 10 MiB at once are more than any of them can buffer.
        try (Load load = new Load(peer, server.endpoints(), 1, 20_000, 32 * 1024, 320, SECOND_NS * 30))
        {
            // Paused members of a group would start an election; their buffers are soon full anyway.
            final boolean isPaused = 1 == peer.serverCount();
            if (isPaused)
            {
                server.pause();
            }
            final CompletableFuture<LoadOutcome> running = load.start();
            try
            {
                assertThat(Deadline.in(5 * SECOND_NS).await(() -> load.isBehind())).isTrue();
            }
            finally
            {
                if (isPaused)
                {
                    server.resume();
                }
            }

            final LoadOutcome outcome = running.join();
            assertThat(outcome.of(Counter.BACK_PRESSURED)).isPositive();
            assertAllAnswered(outcome, 320);
        }
    }

    @ParameterizedTest
    @MethodSource("peers")
    @Order(LAST)
    void shouldCountLossesAndEndWhenItsServerDies(final Peer peer)
    {
        // Runs last, so that it can use the server of the other tests.
        // Some minutes: the servers of all peers share the cores, and a kill may take 20 s there.
        final int count = 200_000;
        try (ServedPeer server = server(peer);
            Load load = new Load(peer, server.endpoints(), SESSION_COUNT, 1_000, 288, count, SECOND_NS / 2))
        {
            SERVERS.remove(peer.name());
            final CompletableFuture<LoadOutcome> running = load.start();
            assertThat(Deadline.in(10 * SECOND_NS).await(() -> load.answeredCount() > 100)).isTrue();
            server.kill();
            assertThat(Deadline.in(SECOND_NS / 5).await(() -> running.isDone())).isFalse();
            load.run.requestEnd();
            final LoadOutcome outcome = running.orTimeout(10, TimeUnit.SECONDS).join();

            assertThat(outcome.of(Counter.SCHEDULED)).isBetween(100L, count - 1L);
            assertThat(outcome.of(Counter.ANSWERED) + outcome.of(Counter.LATE) +
                outcome.lost()).isEqualTo(outcome.of(Counter.SCHEDULED));
            assertThat(outcome.of(Counter.ANSWERED)).isGreaterThan(100);
            assertThat(outcome.lost()).isPositive();
            assertThat(outcome.of(Counter.DUPLICATES) + outcome.of(Counter.OUT_OF_ORDER) + outcome.of(Counter.CORRUPT)).isZero();
        }
    }

    /** So that what is measured of the others is not taken for the whole group's. */
    @Test
    void shouldEndWithTheProgramThatItServes()
    {
        final Peer etcd = Peer.of("NAME", "etcd");
        Need.of("etcd").check(isHere(etcd), "etcd is not in PATH");
        try (ServedPeer server = ServedPeer.start(etcd, folder))
        {
            final ChildProcess member = server.processes().get(0);
            ProcessHandle.of(member.pid()).orElseThrow().descendants()
                .filter((child) -> child.info().command().orElse("").endsWith("/etcd")).findFirst().orElseThrow()
                .destroyForcibly();

            assertThat(Deadline.in(30 * SECOND_NS).await(() -> !member.isAlive())).isTrue();
            assertThat(member.exitStatus()).isNotZero();
            assertThat(member.describeEnd()).contains("etcd ended, signal 9");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "aeron-udp", "grpc" })
    void shouldEndWithStatus0OnRequest(final String name)
    {
        try (ServedPeer server = ServedPeer.start(Peer.of("NAME", name), folder))
        {
            assertThat(server.stop()).containsExactly(0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "aeron-udp" })
    void shouldRunAClosedLoop(final String name)
    {
        final Peer peer = Peer.of("NAME", name);
        assertThat(Peers.execute(
            "ping-pong", "--transport", peer.name(), "--endpoints", server(peer).endpoints(), "--warm-up-count", "10", "--count",
            "200", "--concurrency", "20", "--output", folder.resolve("results").toString())).isZero();
    }

    @ParameterizedTest
    @MethodSource("pricePeers")
    void shouldStreamEachPriceOnceInOrder(final Peer peer)
    {
        assertThat(Peers.execute(
            "price-stream", "--transport", peer.name(), "--endpoints", server(peer).endpoints(), "--count", "20k",
            "--warm-up", "50ms")).isZero();
    }

    @ParameterizedTest
    @MethodSource("oneWayPeers")
    void shouldLoseNothingOneWayAtFullSpeed(final Peer peer)
    {
        for (final String size : new String[]{ "1", "20000" })
        {
            assertThat(Peers.execute(
                "one-way", "--transport", peer.name(), "--endpoints", server(peer).endpoints(), "--size", size, "--warm-up",
                "50ms", "--duration", "200ms")).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("callPeers")
    void shouldAnswerEachCallWithItsBytes(final Peer peer)
    {
        for (final String size : new String[]{ "1", "20000" })
        {
            assertThat(Peers.execute(
                "calls", "--transport", peer.name(), "--endpoints", server(peer).endpoints(), "--size", size, "--concurrency",
                "16", "--warm-up", "50ms", "--duration", "200ms")).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "price-stream", "one-way", "calls" })
    void shouldNameThePeersThatSupportALoad(final String command)
    {
        assertThat(Peers.execute(command, "--transport", "ratis")).isEqualTo(2);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("peers")
    void shouldReconnectToItsServer(final Peer peer)
    {
        try (ServedPeer server = ServedPeer.start(peer, folder);
            Load load = new Load(peer, server.endpoints(), 1, 100, 288, 6_000, SECOND_NS))
        {
            final CompletableFuture<LoadOutcome> running = load.start();
            assertThat(Deadline.in(10 * SECOND_NS).await(() -> load.answeredCount() > 100)).isTrue();
            server.kill();
            if ("aeron-ipc".equals(peer.name()))
            {
                // Its driver is the server's, so the client ends with it.
                load.run.requestEnd();
                assertThat(running.join().lost()).isPositive();
                return;
            }
            server.startAgain();
            final long answered = load.answeredCount();
            assertThat(Deadline.in(30 * SECOND_NS).await(() -> load.answeredCount() > answered + 500)).isTrue();
            load.run.requestEnd();
            final LoadOutcome outcome = running.join();
            if (1 == peer.serverCount())
            {
                assertThat(outcome.of(Counter.RECONNECTS)).isPositive();
            }
            // Otherwise the library's client switches between members of the group without reporting it.
        }
    }

    @ParameterizedTest
    @MethodSource("peers")
    void shouldEndWithStatus3WithoutAServer(final Peer peer)
    {
        assertThat(Peers.execute(
            "--transport", peer.name(), "--endpoints", ServedPeer.freeEndpoints(peer), "--connect-timeout", "300ms", "--quiet",
            "--output", folder.resolve("results").toString())).isEqualTo(3);
    }

    @ParameterizedTest
    @MethodSource("peers")
    void shouldRejectASecondServerAtOneAddress(final Peer peer)
    {
        final Peer.ServeRequest request = new Peer.ServeRequest(
            server(peer).endpoints(), 0, folder.resolve("second"), new Settings("peer.", peer.settings()));
        assertThatThrownBy(() -> peer.serve(request).close()).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("--endpoints");
    }

    private static void assertAllAnswered(final LoadOutcome outcome, final long count)
    {
        assertThat(outcome.of(Counter.SCHEDULED)).isEqualTo(count);
        assertThat(outcome.replied()).as("answered of %s", outcome).isEqualTo(count);
        assertThat(outcome.lost()).isZero();
        assertThat(outcome.of(Counter.DUPLICATES)).isZero();
        assertThat(outcome.of(Counter.OUT_OF_ORDER)).isZero();
        assertThat(outcome.of(Counter.CORRUPT)).isZero();
    }

    private static ServedPeer server(final Peer peer)
    {
        return SERVERS.computeIfAbsent(peer.name(), (name) -> ServedPeer.start(peer, folder));
    }

    /** A load on one peer. */
    private static final class Load implements AutoCloseable
    {
        private final LoadExecution run;
        private volatile boolean isBehind;

        Load(
            final Peer peer,
            final String endpoints,
            final int sessionCount,
            final int ratePerSecond,
            final int length,
            final int count,
            final long drainTimeoutNs)
        {
            final Settings settings = new Settings("peer.", peer.settings());
            if (peer.serverCount() > 1)
            {
                // Members of a group are not paused and may answer as fast as a cold client sends.
                settings.put(QueuedTransport.IN_FLIGHT.key(), "16", "the test");
            }
            final Sessions sessions = Sessions.open(
                peer.newConnector(new TransportRequest(endpoints, length, sessionCount, true, settings, (error) -> { })),
                sessionCount, 0, CONNECT_TIMEOUT_NS);
            final LoadPlan plan = new LoadPlan(
                ratePerSecond, length, 0, count, sessionCount, drainTimeoutNs, 60 * SECOND_NS, count, Delivery.AT_MOST_ONCE);
            run = new LoadExecution(
                plan, new ConstantSchedule(ratePerSecond), 1, sessions, SystemNanoClock.INSTANCE, new SleepingIdleStrategy(),
                AgentThreads.anywhere());
            run.add((interval) -> isBehind |= interval.totals().of(Counter.BACK_PRESSURED) > 0);
        }

        LoadOutcome run()
        {
            run.start(INTERVAL_NS);
            return outcome();
        }

        CompletableFuture<LoadOutcome> start()
        {
            run.start(INTERVAL_NS);
            return CompletableFuture.supplyAsync(this::outcome, (task) -> new Thread(task, "load").start());
        }

        long answeredCount()
        {
            return run.view().answeredCount();
        }

        private LoadOutcome outcome()
        {
            final LoadResult result = run.awaitEnd();
            assertThat(result.problems()).isEmpty();
            return result.measurement().outcome();
        }

        /** Whether sending has met back pressure. */
        boolean isBehind()
        {
            return isBehind;
        }

        @Override
        public void close()
        {
            run.close();
        }
    }
}
