package io.clusterecho.benchmarks;

import java.util.concurrent.TimeUnit;

import io.clusterecho.client.record.Ledger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Bookkeeping for each message: store its send time, match its reply. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {
        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", "--add-opens=java.base/java.util.zip=ALL-UNNAMED" })
public class LedgerBenchmark
{
    private static final int MESSAGE_COUNT = 1 << 24;
    private static final int MASK = MESSAGE_COUNT - 1;

    private final Ledger ledger = new Ledger(MESSAGE_COUNT, 1 << 20);
    private long sent;
    private long answered;

    /** A message is sent. */
    @Benchmark
    public long sent()
    {
        final long index = sent++ & MASK;
        ledger.onSent(index, index, false);
        return index;
    }

    /** Its reply is received and its send time looked up. */
    @Benchmark
    public long answered()
    {
        final long index = answered++ & MASK;
        return ledger.onAnswered(index) ? ledger.sendTimeNs(index) : index;
    }
}
