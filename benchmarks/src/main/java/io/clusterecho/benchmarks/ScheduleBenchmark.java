package io.clusterecho.benchmarks;

import java.util.concurrent.TimeUnit;

import io.clusterecho.client.schedule.BatchedSchedule;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.schedule.PoissonSchedule;
import io.clusterecho.client.schedule.ProfiledSchedule;
import io.clusterecho.client.schedule.RateProfile;
import io.clusterecho.client.schedule.Schedule;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Intended send times: computed once when a message is sent and once when its reply is received. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {
        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", "--add-opens=java.base/java.util.zip=ALL-UNNAMED" })
public class ScheduleBenchmark
{
    private static final int MESSAGE_COUNT = 1 << 24;
    private static final int MASK = MESSAGE_COUNT - 1;
    private static final long RATE_PER_SECOND = 333_333;

    private final Schedule constant = new ConstantSchedule(RATE_PER_SECOND);
    private final Schedule batched = new BatchedSchedule(constant, 10);
    private final Schedule poisson = new PoissonSchedule(RATE_PER_SECOND, MESSAGE_COUNT, 1);
    private final Schedule steps = new ProfiledSchedule(RateProfile.parse("steps:10k*1s,0*1s,500k*1s,100k*1s"), 1_000);
    private final Schedule ramp = new ProfiledSchedule(RateProfile.parse("ramp:1k..500k/60s"), 1_000);
    private final Schedule sine = new ProfiledSchedule(RateProfile.parse("sine:2k..500k/10s"), 1_000);
    private long index;

    /** Equal intervals. */
    @Benchmark
    public long constant()
    {
        return constant.timeNs(index++ & MASK);
    }

    /** Batches of ten. */
    @Benchmark
    public long batched()
    {
        return batched.timeNs(index++ & MASK);
    }

    /** Exponential intervals. */
    @Benchmark
    public long poisson()
    {
        return poisson.timeNs(index++ & MASK);
    }

    /** A rate in steps. */
    @Benchmark
    public long steps()
    {
        return steps.timeNs(index++ & MASK);
    }

    /** A rate that rises. */
    @Benchmark
    public long ramp()
    {
        return ramp.timeNs(index++ & MASK);
    }

    /** A rate that follows a sine. */
    @Benchmark
    public long sine()
    {
        return sine.timeNs(index++ & MASK);
    }
}
