package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

import io.clusterecho.reporting.confidence.PercentileBounds;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunConfidenceTest
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
        final RunConfidence.OfTime confidence = confidence().of(Time.RESPONSE);

        assertThat(confidence.bounds().keySet()).containsExactly(
            Percentile.P50, Percentile.P90, Percentile.P99, Percentile.P99_9, Percentile.P99_99);
        final PercentileBounds median = confidence.bounds().get(Percentile.P50);
        assertThat(Percentile.P50.of(total)).isBetween(median.lowNs(), median.highNs());
        assertThat(median.highNs()).isGreaterThan(median.lowNs()).isLessThan(median.lowNs() * 11 / 10);
        assertThat(confidence.bounds().get(Percentile.P99_9).missing()).contains("fewer than 20 independent ones");
    }

    @Test
    void shouldHaveNoneWhereValuesAreInNoInterval() throws IOException
    {
        writeLogs();
        total.recordValue(5_000_000_000L);
        assertThat(confidence().of(Time.RESPONSE).missing()).containsOnlyKeys(
            "1 of its values are in no interval: messages without a reply, or intervals that were not recorded");
    }

    @Test
    void shouldHaveNoneWithoutReadableIntervals() throws IOException
    {
        assertThat(confidence().of(Time.SERVICE).missing().keySet())
            .containsExactly("service-time.hlog cannot be read: it cannot be opened");

        writeLogs();
        final Path log = folder.resolve(Time.SEND_DELAY.log());
        Files.writeString(log, Files.readString(log).replace("HIST", "HOST"));
        assertThat(confidence().of(Time.SEND_DELAY).isAnyKnown()).isFalse();
        assertThat(confidence().of(Time.RESPONSE).isAnyKnown()).isTrue();
    }

    private RunConfidence confidence()
    {
        return RunConfidence.of(folder, new LoadMeasurement(
            null, new Histograms().add(Time.RESPONSE, total).add(Time.SERVICE, total).add(Time.SEND_DELAY, total)));
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
