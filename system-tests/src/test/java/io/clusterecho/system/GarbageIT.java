package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.NakFlyweight;
import io.aeron.protocol.SetupFlyweight;
import io.aeron.protocol.StatusMessageFlyweight;
import io.clusterecho.control.member.ClusterMember;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sends garbage to every UDP port of members and client under load: noise, and frames of Aeron that are cut, changed or absurd.
 * The sender knows ports and stream ids, but no session id; see docs/SECURITY.md for what one that does can do.
 */
@Tag("fault")
class GarbageIT
{
    private static final long SEED = Long.getLong("fuzz.seed", 1);
    private static final long GARBAGE_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long END_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(240);
    private static final long MAX_SHARED_MEMORY = 1L << 30;
    /** Of Aeron Cluster and its archive: log, ingress, egress, consensus, archive requests, and one that is not used. */
    private static final int[] STREAMS = { 100, 101, 102, 108, 10, 7 };
    /** A driver makes an image for each valid one, which takes three times this until it times out: few and small ones only. */
    private static final int[] TERM_LENGTHS = { 0, -1, 1, 65_535, 1 << 16, Integer.MAX_VALUE, Integer.MIN_VALUE };
    private static final int[] EDGES = { 0, 1, -1, 31, 32, 1408, 65_504, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE };
    private static final int SESSIONS = 8;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3);

    @TempDir
    private Path results;
    private final Random random = new Random(SEED);

    @Tag("matrix-28")
    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldServeUnderGarbage() throws IOException
    {
        cluster.start();
        final List<OptionalLong> pids = cluster.members().stream().map(ClusterMember::pid).toList();
        final RunningCommand client = cluster.startLoadClient(
            "run", "--rate=200", "--size=288", "--warm-up=2s", "--duration=25s", "--delivery=exactly-once", "--json",
            "--connect-timeout=110s", "--output=" + results, "--label=garbage");
        client.awaitProgress(" measure ");
        final List<Integer> ports = new ArrayList<>(ports(client.process().pid()));
        for (final OptionalLong pid : pids)
        {
            ports.addAll(ports(pid.orElseThrow()));
        }
        assertThat(ports).as("five of each member, and those of the client").hasSizeGreaterThan(15);
        for (int i = 0; i < 3; i++)
        {
            assertThat(ports).contains(cluster.basePort() + 10 * i, cluster.basePort() + 10 * i + 4);
        }

        final long sentCount = send(ports);

        final CommandResult run = client.await(END_TIMEOUT_NS);
        System.out.printf("%,d datagrams of seed %d to %d ports: %s%n", sentCount, SEED, ports.size(), run);
        assertThat(cluster.members().stream().map(ClusterMember::pid).toList()).as("the same processes").isEqualTo(pids);
        assertThat(run.json().get("answered").asLong() + run.json().get("late").asLong())
            .as("%s", run).isEqualTo(run.json().get("scheduled").asLong());
        for (final ClusterMember member : cluster.members())
        {
            assertThat(length(member.aeronDir())).as("bytes in %s", member.aeronDir()).isLessThan(MAX_SHARED_MEMORY);
        }
        final CommandResult audit = cluster.loadClient("audit", "--json");
        assertThat(audit.json().get("clean").asBoolean()).as("%s", audit).isTrue();
        assertThat(cluster.status().isHealthy()).as("%s", cluster.status()).isTrue();
    }

    /** @return the number of datagrams sent. */
    private long send(final List<Integer> ports) throws IOException
    {
        long count = 0;
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
        {
            final long endNs = System.nanoTime() + GARBAGE_NS;
            while (System.nanoTime() - endNs < 0)
            {
                final byte[] datagram = datagram();
                for (final int port : ports)
                {
                    socket.send(new DatagramPacket(datagram, datagram.length, InetAddress.getLoopbackAddress(), port));
                    count++;
                }
                LockSupport.parkNanos(PAUSE_NS);
            }
        }

        return count;
    }

    private byte[] datagram()
    {
        final byte[] bytes = switch (random.nextInt(6))
        {
            case 0 -> noise(random.nextInt(1500));
            case 1 -> setup();
            case 2 -> statusMessage();
            case 3 -> nak();
            default -> data();
        };
        if (random.nextInt(3) == 0)
        {
            return Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
        }
        if (bytes.length > 0 && random.nextInt(3) == 0)
        {
            bytes[random.nextInt(Math.min(32, bytes.length))] ^= (byte)(1 << random.nextInt(8));
        }

        return bytes;
    }

    private byte[] noise(final int length)
    {
        final byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] setup()
    {
        final UnsafeBuffer buffer = frame(SetupFlyweight.HEADER_LENGTH, HeaderFlyweight.HDR_TYPE_SETUP);
        new SetupFlyweight(buffer).sessionId(session()).streamId(stream()).initialTermId(7).activeTermId(7 + random.nextInt(2))
            .termOffset(random.nextBoolean() ? 0 : edge()).termLength(TERM_LENGTHS[random.nextInt(TERM_LENGTHS.length)])
            .mtuLength(random.nextBoolean() ? 1408 : edge()).ttl(0);
        return buffer.byteArray();
    }

    private byte[] statusMessage()
    {
        final UnsafeBuffer buffer = frame(StatusMessageFlyweight.HEADER_LENGTH, HeaderFlyweight.HDR_TYPE_SM);
        new StatusMessageFlyweight(buffer).sessionId(session()).streamId(stream()).consumptionTermId(edge())
            .consumptionTermOffset(edge()).receiverWindowLength(edge()).receiverId(random.nextLong());
        return buffer.byteArray();
    }

    private byte[] nak()
    {
        final UnsafeBuffer buffer = frame(NakFlyweight.HEADER_LENGTH, HeaderFlyweight.HDR_TYPE_NAK);
        new NakFlyweight(buffer).sessionId(session()).streamId(stream()).termId(edge()).termOffset(edge()).length(edge());
        return buffer.byteArray();
    }

    private byte[] data()
    {
        final UnsafeBuffer buffer = frame(32 + 32 * random.nextInt(16), HeaderFlyweight.HDR_TYPE_DATA);
        buffer.putBytes(32, noise(buffer.capacity() - 32));
        new DataHeaderFlyweight(buffer).sessionId(session()).streamId(stream()).termId(random.nextBoolean() ? 7 : edge())
            .termOffset(random.nextBoolean() ? 0 : edge());
        return buffer.byteArray();
    }

    private UnsafeBuffer frame(final int length, final int type)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[length]);
        new HeaderFlyweight(buffer).version((short)0).flags((short)(0xC0 | random.nextInt(64))).headerType(type)
            .frameLength(random.nextInt(8) == 0 ? edge() : length);
        return buffer;
    }

    private int session()
    {
        return 1000 + random.nextInt(SESSIONS);
    }

    private int stream()
    {
        return STREAMS[random.nextInt(STREAMS.length)];
    }

    private int edge()
    {
        return EDGES[random.nextInt(EDGES.length)];
    }

    /** The UDP ports of a process. */
    private static List<Integer> ports(final long pid) throws IOException
    {
        final List<String> sockets = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of("/proc", String.valueOf(pid), "fd")))
        {
            for (final Path file : files.toList())
            {
                if (Files.isSymbolicLink(file))
                {
                    sockets.add(Files.readSymbolicLink(file).toString());
                }
            }
        }

        final List<Integer> ports = new ArrayList<>();
        for (final String table : List.of("udp", "udp6"))
        {
            Files.readAllLines(Path.of("/proc/net", table)).stream().skip(1).map((line) -> line.trim().split("\\s+"))
                .filter((words) -> sockets.contains("socket:[" + words[9] + "]"))
                .map((words) -> Integer.parseInt(words[1].substring(words[1].lastIndexOf(':') + 1), 16)).forEach(ports::add);
        }

        return ports;
    }

    private static long length(final Path folder) throws IOException
    {
        try (Stream<Path> files = Files.walk(folder))
        {
            return files.filter(Files::isRegularFile).mapToLong((file) -> file.toFile().length()).sum();
        }
    }
}
