package io.clusterecho.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.TimeUnit;

import io.clusterecho.platform.ArrivalClock;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** When a datagram arrived, beside what it costs to receive one: once for each datagram of replies. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1)
public class ArrivalBenchmark
{
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(320);
    private DatagramChannel receiver;
    private DatagramChannel sender;
    private ArrivalClock clock;

    /**
     * Two sockets.
     *
     * @throws IOException without the kernel's stamps.
     */
    @Setup
    public void open() throws IOException
    {
        receiver = DatagramChannel.open(StandardProtocolFamily.INET);
        receiver.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
        receiver.configureBlocking(false);
        sender = DatagramChannel.open(StandardProtocolFamily.INET);
        sender.connect(receiver.getLocalAddress());
        clock = ArrivalClock.of(receiver);
        sendAndReceive();
    }

    /**
     * Close them.
     *
     * @throws IOException never.
     */
    @TearDown
    public void close() throws IOException
    {
        sender.close();
        receiver.close();
    }

    /**
     * Send and receive a datagram of 320 bytes.
     *
     * @return where it came from.
     * @throws IOException never.
     */
    @Benchmark
    public Object sendAndReceive() throws IOException
    {
        buffer.clear();
        sender.write(buffer);
        buffer.clear();
        return receiver.receive(buffer);
    }

    /**
     * The arrival of the one that was received last.
     *
     * @return in ns.
     */
    @Benchmark
    public long arrival()
    {
        return clock.lastNs();
    }
}
