package io.clusterecho.client.load;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.clusterecho.client.schedule.BatchedSchedule;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.schedule.EncodedMessages;
import io.clusterecho.client.schedule.Messages;
import io.clusterecho.client.schedule.PoissonSchedule;
import io.clusterecho.client.schedule.ProfiledSchedule;
import io.clusterecho.client.schedule.RateProfile;
import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.client.transport.MemoryTransport;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.codec.MessageCodec;
import io.clusterecho.reporting.measurement.MessageKind;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
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

/**
 * All work of the client for a message of 288 bytes, or 288 on average, with each kind of load, and for a short message of 32
 * bytes and a long one of 1,344. The transport is in memory and answers at once. The first one is what the others are compared
 * with.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {
        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", "--add-opens=java.base/java.util.zip=ALL-UNNAMED",
        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED" })
public class LoadBenchmark
{
    private static final int LENGTH = 288;
    private static final int NEWEST_COUNT = 1 << 16;
    private static final long RATE_PER_SECOND = 2_000_000;
    private static final long BEHIND_NS = 1_000_000_000_000L;
    /** Enough for the whole measurement at more than ten million messages a second, and due {@link #BEHIND_NS} earlier. */
    private static final long MESSAGE_COUNT = 1 << 28;
    /** Messages of an invocation: many times those of a duty cycle, which depend on their length. */
    private static final int BATCH_MESSAGES = 1 << 16;
    private static final long SEED = 1;

    /** What the load is. */
    @Param({
        "constant", "poisson", "batched", "steps", "ramp", "sine", "lengths", "short", "long", "codec" })
    public String load;

    private LoadAgent agent;

    /** An agent far behind its schedule, so that a message is always due. */
    @Setup
    public void begin()
    {
        final Schedule constant = new ConstantSchedule(RATE_PER_SECOND);
        final List<MessageKind> kinds = List.of(
            new MessageKind("short", LENGTH - 1, LENGTH - 1, RATE_PER_SECOND / 2.0),
            new MessageKind("long", LENGTH + 1, LENGTH + 1, RATE_PER_SECOND / 2.0));
        final Messages one = Messages.ofLength(LENGTH, RATE_PER_SECOND);
        switch (load)
        {
            case "poisson" -> begin(new PoissonSchedule(RATE_PER_SECOND, MESSAGE_COUNT, SEED), one);
            case "batched" -> begin(new BatchedSchedule(constant, 10), one);
            case "steps" -> begin(profiled("steps:1m*1s,4m*1s,1m*1s"), one);
            case "ramp" -> begin(profiled("ramp:1m..4m/60s"), one);
            case "sine" -> begin(profiled("sine:1m..4m/10s"), one);
            case "lengths" -> begin(constant, new Messages(kinds, SEED, false));
            case "short" -> begin(constant, Messages.ofLength(32, RATE_PER_SECOND));
            case "long" -> begin(constant, Messages.ofLength(1344, RATE_PER_SECOND));
            case "codec" -> begin(constant, new EncodedMessages(FixedCodec::new, new FixedCodec(), LENGTH, RATE_PER_SECOND));
            default -> begin(constant, one);
        }
    }

    private static Schedule profiled(final String profile)
    {
        return new ProfiledSchedule(RateProfile.parse(profile), 0, null);
    }

    private void begin(final Schedule schedule, final Messages messages)
    {
        final LoadPlan plan = new LoadPlan(
            RATE_PER_SECOND, messages, 0, MESSAGE_COUNT, 0, Long.MAX_VALUE / 8, 1, Long.MAX_VALUE / 8, Long.MAX_VALUE,
            NEWEST_COUNT, Delivery.AT_MOST_ONCE, Share.WHOLE, false);
        final Transport transport = new MemoryTransport(SystemNanoClock.INSTANCE, messages.maxLengthBytes(), 0, 0, 0, 1);
        agent = new LoadAgent(plan, schedule, new Transport[]{ transport }, 1, SystemNanoClock.INSTANCE, null);
        agent.begin(System.nanoTime() - BEHIND_NS);
    }

    /** The least messages of another service than the echo: the number, behind what the transport changes. */
    private static final class FixedCodec implements MessageCodec
    {
        @Override
        public int maxRequestLength()
        {
            return LENGTH;
        }

        @Override
        public int encode(final long request, final MutableDirectBuffer buffer, final int offset)
        {
            buffer.putLong(offset + Long.BYTES, request);
            return LENGTH;
        }

        @Override
        public void decode(final DirectBuffer buffer, final int offset, final int length, final Replies replies)
        {
            replies.onReply(buffer.getLong(offset + Long.BYTES), 0);
        }
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
