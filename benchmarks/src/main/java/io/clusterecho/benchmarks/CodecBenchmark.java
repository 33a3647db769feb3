package io.clusterecho.benchmarks;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.codecs.EchoRequestDecoder;

import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Header, block and check of a message: written before it is sent, checked when it comes back. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {
        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", "--add-opens=java.base/java.util.zip=ALL-UNNAMED" })
public class CodecBenchmark
{
    /** Length of the message with its header, in bytes. */
    @Param({ "32", "288", "1344" })
    public int lengthBytes;

    private final PayloadCheck payloadCheck = new PayloadCheck();
    private UnsafeBuffer message;
    private UnsafeBuffer received;
    private long sequence;

    /** A message with a payload on the heap, where it is encoded, and off the heap, where it is received. */
    @Setup
    public void fill()
    {
        message = new UnsafeBuffer(new byte[lengthBytes]);
        message.setMemory(0, lengthBytes, (byte)7);
        encode();
        received = new UnsafeBuffer(ByteBuffer.allocateDirect(lengthBytes));
        received.putBytes(0, message, 0, lengthBytes);
    }

    /** Write everything but the payload. */
    @Benchmark
    public UnsafeBuffer encode()
    {
        EchoMessage.encode(
            message, 0, lengthBytes, EchoRequestDecoder.TEMPLATE_ID, 42, sequence++, 1_000 * sequence, payloadCheck);
        return message;
    }

    /** Check a whole message. */
    @Benchmark
    public int validate()
    {
        return EchoMessage.validate(received, 0, lengthBytes, payloadCheck);
    }
}
