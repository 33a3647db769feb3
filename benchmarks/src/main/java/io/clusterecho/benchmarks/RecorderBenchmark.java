package io.clusterecho.benchmarks;

import java.util.concurrent.TimeUnit;

import io.clusterecho.node.stage.LogWatch;
import io.clusterecho.node.stage.StageClock;
import io.clusterecho.node.stage.StageStamps;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.StageTimes;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.agrona.DirectBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Recording the times of a message in histograms that another thread takes, and stage times, on the leader and in the client. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {
        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", "--add-opens=java.base/java.util.zip=ALL-UNNAMED" })
public class RecorderBenchmark
{
    private static final int SPREAD_MASK = (1 << 20) - 1;

    private final TimeRecorder recorder = new TimeRecorder();
    private final StageClock clock = new StageClock();
    private final StageStamps stamps = new StageStamps(clock, new LogWatch(0));
    private final StageTimes stages = new StageTimes();
    private final long timestamp = clock.time();
    private long logPosition;
    private long timeNs;

    /** Record the send delay of a message. */
    @Benchmark
    public void sent()
    {
        recorder.onSent(nextNs());
    }

    /** Record response and service time of a message, its receive lateness and the client's part. */
    @Benchmark
    public void answered()
    {
        final long nextNs = nextNs();
        recorder.onAnswered(nextNs + 1_000, nextNs, nextNs >>> 4, nextNs >>> 4);
    }

    /** What the leader's service appends to a reply with stage times, without reading the log. */
    @Benchmark
    public DirectBuffer stamped()
    {
        logPosition += 352;
        return stamps.of(timestamp, logPosition, 1);
    }

    /** What the client records of those. */
    @Benchmark
    public void stages()
    {
        final long sendNs = nextNs();
        stages.onStamps(
            true, sendNs, sendNs + nextNs(), sendNs + 2_000_000, sendNs + 3_000_000, sendNs + 3_000_000 + nextNs(),
            sendNs + 5_000_000);
    }

    /**
     * What the watching thread does once per interval.
     *
     * @return histograms of the interval.
     */
    @Benchmark
    public Histograms interval()
    {
        return recorder.takeInterval();
    }

    /** Unpredictable times from 0 to 1 ms. */
    private long nextNs()
    {
        timeNs = timeNs * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
        return timeNs >>> 32 & SPREAD_MASK;
    }
}
