package io.clusterecho.benchmarks;

import java.util.concurrent.TimeUnit;

import io.clusterecho.client.load.Delivery;
import io.clusterecho.client.load.LoadAgent;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.transport.MemoryTransport;
import io.clusterecho.client.transport.Transport;

import org.agrona.concurrent.SystemNanoClock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** All work of the client for a message, into a transport in memory that answers at once. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {
        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", "--add-opens=java.base/java.util.zip=ALL-UNNAMED" })
public class AgentBenchmark
{
    private static final long RATE_PER_SECOND = 1_000_000_000L;
    private static final int NEWEST_COUNT = 1 << 16;
    /** Enough for the whole measurement at more than ten million messages a second. */
    private static final long MESSAGE_COUNT = 1 << 28;
    /** Messages of an invocation: many times those of a duty cycle, which depend on their length. */
    private static final int BATCH_MESSAGES = 1 << 16;

    /** Length of the message with its header, in bytes. */
    @Param({ "32", "288", "1344" })
    public int lengthBytes;

    private LoadAgent agent;

    /** An agent far behind its schedule, so that a message is always due. */
    @Setup
    public void begin()
    {
        final LoadPlan plan = new LoadPlan(
            RATE_PER_SECOND, lengthBytes, 0, MESSAGE_COUNT, 1, Long.MAX_VALUE / 4, Long.MAX_VALUE, NEWEST_COUNT,
            Delivery.AT_MOST_ONCE);
        agent = new LoadAgent(
            plan, new ConstantSchedule(RATE_PER_SECOND),
            new Transport[]{ new MemoryTransport(SystemNanoClock.INSTANCE, lengthBytes, 0, 0, 0) }, 1,
            SystemNanoClock.INSTANCE, null);
        agent.begin(System.nanoTime() - RATE_PER_SECOND);
    }

    /** Messages are encoded, sent, received, checked and recorded; at most those of one duty cycle more than a batch. */
    @Benchmark
    @OperationsPerInvocation(BATCH_MESSAGES)
    public long batch()
    {
        final long end = agent.answeredCount() + BATCH_MESSAGES;
        while (agent.answeredCount() < end)
        {
            agent.doWork();
        }
        return end;
    }
}
