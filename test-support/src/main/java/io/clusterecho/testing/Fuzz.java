package io.clusterecho.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import com.sun.management.ThreadMXBean;

import org.junit.jupiter.api.Assertions;

/**
 * Gives damaged copies of valid samples to a target, which must accept each or refuse it with an exception that it documents.
 * Another exception, an exception without a message, more than 256 MiB allocated or more than 10 s of processor time for one
 * input fails the test, and the input is written to {@code target/fuzz/}. Inputs depend only on the seed and their number.
 * <p>
 * {@code -Dfuzz.seconds=N} keeps each target running for N seconds, {@code -Dfuzz.seed=N} gives it other inputs.
 */
public final class Fuzz
{
    private static final long SEED = Long.getLong("fuzz.seed", 1);
    private static final long SECONDS = Long.getLong("fuzz.seconds", 0);
    private static final long MAX_ALLOCATED_BYTES = 256L << 20;
    /** Processor time, which does not depend on what else the machine does. */
    private static final long MAX_TIME_MS = 10_000;
    private static final long MAX_RUN_S = 600;
    private static final int MAX_CHANGES = 4;
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    /** Where lengths, counts and signs turn over. */
    private static final long[] EDGES = {
        0, 1, -1, 31, 0x7F, 0x80, 0x7FFF, 0xFFFF, 1 << 20, 1 << 30, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE,
        Long.MIN_VALUE };
    private static final String[] WORDS = {
        "null", "-1", "0", "1e308", "2147483648", "-9223372036854775808", "9223372036854775808", "{}", "[]", "\"\"", "true",
        "\"NaN\"", "\"\u00e9\"", "", "NaN", "Infinity", "x", "\\u", ",", "\n" };

    private final Random random;
    private final List<byte[]> samples;

    /** Reads an input. */
    @FunctionalInterface
    public interface Target
    {
        /**
         * @param input to read; the target owns it.
         * @throws IOException if the test itself fails.
         */
        void read(byte[] input) throws IOException;
    }

    private Fuzz(final long seed, final List<byte[]> samples)
    {
        random = new Random(seed);
        this.samples = samples;
    }

    /**
     * Run a target.
     *
     * @param name     of the target, for files and messages.
     * @param count    of inputs, the samples themselves first.
     * @param samples  valid inputs, at least one.
     * @param refusals allowed besides acceptance.
     * @param target   to call, on a thread of its own.
     */
    public static long run(
        final String name,
        final int count,
        final List<byte[]> samples,
        final List<Class<? extends Throwable>> refusals,
        final Target target)
    {
        // Another thread than that of the test, which ends even if an input makes its reader loop.
        return Assertions.assertTimeoutPreemptively(
            Duration.ofSeconds(MAX_RUN_S + SECONDS), () -> new Fuzz(SEED, samples).run(name, count, refusals, target));
    }

    private long run(
        final String name, final int count, final List<Class<? extends Throwable>> refusals, final Target target)
    {
        final long startNs = THREADS.getCurrentThreadCpuTime();
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        long refused = 0;
        int inputs = 0;
        for (; inputs < count || System.nanoTime() - endNs < 0; inputs++)
        {
            final byte[] input = inputs < samples.size() ? samples.get(inputs) : damaged();
            final String problem = problem(input, refusals, target);
            if (null != problem && (inputs < samples.size() || !problem.isEmpty()))
            {
                Assertions.fail(name + ", input " + inputs + " of seed " + SEED + ": " + problem + kept(name, inputs, input));
            }
            refused += null == problem ? 0 : 1;
        }
        System.out.printf(
            "fuzz %s: seed=%d inputs=%d refused=%d cpu_ms=%d%n", name, SEED, inputs, refused,
            TimeUnit.NANOSECONDS.toMillis(THREADS.getCurrentThreadCpuTime() - startNs));
        return refused;
    }

    /** @return null if the input was accepted, empty if it was refused, which no sample may be, else what went wrong. */
    private static String problem(
        final byte[] input, final List<Class<? extends Throwable>> refusals, final Target target)
    {
        final long allocatedBytes = THREADS.getCurrentThreadAllocatedBytes();
        final long startNs = THREADS.getCurrentThreadCpuTime();
        String problem = null;
        try
        {
            target.read(input.clone());
        }
        catch (final Throwable ex)
        {
            final boolean isRefusal =
                refusals.stream().anyMatch((refusal) -> refusal.isInstance(ex)) && null != ex.getMessage();
            problem = isRefusal ? "" : ex + " at " + Arrays.stream(ex.getStackTrace()).limit(12).toList();
        }
        final long usedBytes = THREADS.getCurrentThreadAllocatedBytes() - allocatedBytes;
        final long timeMs = TimeUnit.NANOSECONDS.toMillis(THREADS.getCurrentThreadCpuTime() - startNs);
        return usedBytes <= MAX_ALLOCATED_BYTES && timeMs <= MAX_TIME_MS ? problem :
            usedBytes + " bytes allocated in " + timeMs + " ms; " + problem;
    }

    private static String kept(final String name, final int number, final byte[] input)
    {
        try
        {
            final Path file = Files.createDirectories(Path.of("target", "fuzz")).resolve(name + "-" + SEED + "-" + number);
            return "; input in " + Files.write(file, input).toAbsolutePath();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private byte[] damaged()
    {
        byte[] input = samples.get(random.nextInt(samples.size())).clone();
        for (int i = random.nextBoolean() ? 1 : 1 + random.nextInt(MAX_CHANGES); i > 0; i--)
        {
            input = changed(input);
        }

        return input;
    }

    private byte[] changed(final byte[] input)
    {
        final int begin = random.nextInt(input.length + 1);
        final int end = begin + random.nextInt(Math.min(64, input.length - begin) + 1);
        return switch (random.nextInt(12))
        {
            case 0 -> spliced(input, begin, end, new byte[0]);
            case 1 -> Arrays.copyOf(input, begin);
            case 2 -> spliced(input, begin, begin, Arrays.copyOfRange(input, begin, end));
            case 3 ->
            {
                final byte[] noise = new byte[end - begin];
                random.nextBytes(noise);
                yield spliced(input, begin, end, noise);
            }
            case 4 ->
            {
                final ByteBuffer edge = ByteBuffer.allocate(Long.BYTES)
                    .order(random.nextBoolean() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN)
                    .putLong(0, EDGES[random.nextInt(EDGES.length)]);
                final int width = Math.min(input.length - begin, 1 << random.nextInt(4));
                yield spliced(input, begin, begin + width, Arrays.copyOf(edge.array(), width));
            }
            case 5 -> begin == input.length ? input :
                spliced(input, begin, begin + 1, new byte[]{ (byte)(input[begin] ^ 1 << random.nextInt(8)) });
            default -> withWord(input, begin);
        };
    }

    /** Replace what is between two separators of a text, such as a number, a name or a quoted value. */
    private byte[] withWord(final byte[] input, final int index)
    {
        int begin = index;
        int end = index;
        while (begin > 0 && !isSeparator(input[begin - 1]))
        {
            begin--;
        }
        while (end < input.length && !isSeparator(input[end]))
        {
            end++;
        }
        return spliced(input, begin, end, WORDS[random.nextInt(WORDS.length)].getBytes(StandardCharsets.UTF_8));
    }

    private static boolean isSeparator(final byte value)
    {
        return ",:;= \t\r\n{}[]".indexOf(value) >= 0;
    }

    private static byte[] spliced(final byte[] input, final int begin, final int end, final byte[] middle)
    {
        return ByteBuffer.allocate(begin + middle.length + input.length - end)
            .put(input, 0, begin).put(middle).put(input, end, input.length - end).array();
    }
}
