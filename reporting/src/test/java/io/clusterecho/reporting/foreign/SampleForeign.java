package io.clusterecho.reporting.foreign;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Files in the format of the load rig of {@code aeron-io/benchmarks} with known numbers: 999 replies take a time, and one takes
 * ten times as long.
 */
public final class SampleForeign
{
    /** Name that the rig gives to a run at 100,000 messages/s of 288 bytes. */
    public static final String NAME = "echo_java_mtu=8k_rate=100K_batch=1_length=288";

    private static final long LONGEST_NS = 3_600_000_000_000L;
    private static final int SIGNIFICANT_DIGITS = 3;

    private SampleForeign()
    {
    }

    /**
     * A file with one histogram, without time stamps and without a header.
     *
     * @param file   to write.
     * @param timeNs of nearly all replies.
     */
    public static Path write(final Path file, final long timeNs) throws IOException
    {
        Files.createDirectories(file.getParent());
        final Histogram histogram = histogram(timeNs);
        final HistogramLogWriter writer = new HistogramLogWriter(file.toFile());
        writer.outputIntervalHistogram(
            histogram.getStartTimeStamp() / 1000.0, histogram.getEndTimeStamp() / 1000.0, histogram, 1.0);
        writer.close();
        return file;
    }

    /**
     * A file with the history of a run: a header, and a histogram for each second.
     *
     * @param file    to write.
     * @param timesNs of nearly all replies of each second.
     */
    public static Path writeHistory(final Path file, final long... timesNs) throws IOException
    {
        Files.createDirectories(file.getParent());
        try (PrintStream out = new PrintStream(file.toFile(), StandardCharsets.US_ASCII))
        {
            final HistogramLogWriter writer = new HistogramLogWriter(out);
            writer.outputLogFormatVersion();
            writer.outputStartTime(1_763_740_000_000L);
            for (int i = 0; i < timesNs.length; i++)
            {
                final Histogram histogram = histogram(timesNs[i]);
                histogram.setStartTimeStamp(1_763_740_000_000L + i * 1_000L);
                histogram.setEndTimeStamp(1_763_740_001_000L + i * 1_000L);
                writer.outputIntervalHistogram(histogram);
            }
        }
        return file;
    }

    private static Histogram histogram(final long timeNs)
    {
        final Histogram histogram = new Histogram(LONGEST_NS, SIGNIFICANT_DIGITS);
        histogram.recordValueWithCount(timeNs, 999);
        histogram.recordValue(10 * timeNs);
        return histogram;
    }
}
