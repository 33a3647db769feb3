package io.clusterecho.benchmarks;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import io.clusterecho.reporting.confidence.LevelChanges;
import io.clusterecho.reporting.confidence.PrecisionRule;
import io.clusterecho.reporting.confidence.SteadyRule;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.HdrHistogram.Histogram;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a run does to know its own error, over 60 intervals of 100,000 messages: on the watching thread or after the run, never on
 * that of the agent.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 30)
@Measurement(iterations = 30)
@Fork(value = 1)
public class ConfidenceBenchmark
{
    private static final int INTERVAL_COUNT = 60;
    private static final int MESSAGE_COUNT = 100_000;
    private static final double ALPHA = 0.01;

    private final Histogram[] intervals = new Histogram[INTERVAL_COUNT];
    private final double[] p99Ns = new double[INTERVAL_COUNT];
    private PrecisionRule precision;
    private SteadyRule steady;

    /** Intervals with exponential times. */
    @Setup
    public void draw()
    {
        final SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < INTERVAL_COUNT; i++)
        {
            intervals[i] = TimeRecorder.newHistogram();
            for (int n = 0; n < MESSAGE_COUNT; n++)
            {
                intervals[i].recordValue((long)(-100_000 * Math.log(1 - random.nextDouble())));
            }
            p99Ns[i] = intervals[i].getValueAtPercentile(99);
        }
    }

    /** Rules that have seen nothing. */
    @Setup(Level.Invocation)
    public void begin()
    {
        precision = new PrecisionRule(99, 0.000_001);
        steady = new SteadyRule(SteadyRule.MIN_LENGTH_NS);
    }

    /**
     * {@code --until}: all intervals, and the looks at the bounds among them.
     *
     * @return whether the last one was narrow.
     */
    @Benchmark
    public boolean until()
    {
        boolean isMet = false;
        for (final Histogram interval : intervals)
        {
            isMet = precision.isMetWith(interval);
        }
        return isMet;
    }

    /**
     * {@code --warm-up auto}: all intervals, and a test after each.
     *
     * @return whether all was steady in the end.
     */
    @Benchmark
    public boolean warmUp()
    {
        boolean isSteady = false;
        for (int i = 0; i < INTERVAL_COUNT; i++)
        {
            steady.add(new SteadyRule.Interval(p99Ns[i], p99Ns[i], 0), (i + 1) * 1_000_000_000L);
            isSteady = steady.isSteady();
        }
        return isSteady;
    }

    /** Steady state: the test of one percentile after the run. */
    @Benchmark
    public int levelChanges()
    {
        return LevelChanges.of(p99Ns, ALPHA).size();
    }
}
