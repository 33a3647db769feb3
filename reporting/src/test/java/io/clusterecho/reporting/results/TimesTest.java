package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimesTest
{
    private static final int INTERVAL_COUNT = 30;
    private static final int COUNT = 500;

    @TempDir
    private Path folder;
    private final Histogram total = TimeRecorder.newHistogram();

    @Test
    void shouldReadTheIntervalsOfAFolder() throws IOException
    {
        writeLogs();
        final Times times = times(Time.RESPONSE);

        assertThat(Stream.concat(times.confidence95().keySet().stream(), times.confidence95Missing().keySet().stream()))
            .containsExactly("p50", "p90", "p99", "p99.9", "p99.99");
        final List<Long> median = times.confidence95().get("p50");
        assertThat(Percentile.P50.of(total)).isBetween(median.get(0), median.get(1));
        assertThat(median.get(1)).isGreaterThan(median.get(0)).isLessThan(median.get(0) * 11 / 10);
        assertThat(times.confidence95Missing().get("p99.9")).contains("fewer than 20 independent ones");
    }

    @Test
    void shouldHaveNoneWhereValuesAreInNoInterval() throws IOException
    {
        writeLogs();
        total.recordValue(5_000_000_000L);
        assertThat(times(Time.RESPONSE).missing()).containsOnlyKeys(
            "1 of its values are in no interval: messages without a reply, or intervals that were not recorded");
    }

    @Test
    void shouldHaveNoneWithoutReadableIntervals() throws IOException
    {
        assertThat(times(Time.SERVICE).missing().keySet())
            .containsExactly("service-time.hlog cannot be read: it cannot be opened");

        writeLogs();
        final Path log = folder.resolve(Time.SEND_DELAY.log());
        Files.writeString(log, Files.readString(log).replace("HIST", "HOST"));
        assertThat(times(Time.SEND_DELAY).confidence95()).isEmpty();
        assertThat(times(Time.RESPONSE).confidence95()).isNotEmpty();
    }

    private Times times(final Time time)
    {
        return Times.of(total, folder.resolve(time.log()));
    }

    private void writeLogs() throws IOException
    {
        for (final String name : List.of(Time.RESPONSE.log(), Time.SERVICE.log(), Time.SEND_DELAY.log()))
        {
            final SplittableRandom random = new SplittableRandom(7);
            total.reset();
            try (PrintStream out = new PrintStream(Files.newOutputStream(folder.resolve(name))))
            {
                final HistogramLogWriter writer = new HistogramLogWriter(out);
                writer.outputLogFormatVersion();
                for (int i = 0; i < INTERVAL_COUNT; i++)
                {
                    final Histogram interval = TimeRecorder.newHistogram();
                    for (int j = 0; j < COUNT; j++)
                    {
                        interval.recordValue(1_000_000 + random.nextLong(500_000));
                    }
                    total.add(interval);
                    writer.outputIntervalHistogram(interval);
                }
            }
        }
    }
}
