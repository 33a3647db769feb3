package io.clusterecho.node.service;

import java.util.concurrent.TimeUnit;

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

/** What {@code echo.service.time} costs beyond the time that it is to take: with times of 1 ns, all of it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1)
public class ServiceTimeBenchmark
{
    private static final int ENTRY_LENGTH = 384;

    /** The setting. */
    @Param({ "none", "fixed:1ns", "exponential:1ns", "bimodal:1ns,2ns@1%" })
    public String setting;

    private ServiceTime time;
    private long position;

    /** Parse the setting. */
    @Setup
    public void begin()
    {
        time = ServiceTime.of(setting);
    }

    /** Work on a message. */
    @Benchmark
    public void message()
    {
        position += ENTRY_LENGTH;
        time.spin(position);
    }
}
