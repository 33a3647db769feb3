package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Counts;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.RunPhase;
import io.clusterecho.reporting.measurement.SampleInterval;
import io.clusterecho.reporting.measurement.Time;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiveViewTest
{
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    private Counts totalsBefore = new Counts();

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "200; 8.0 s measure | 100,000/s | p50 1.07 ms p99 1.39 ms | total p99 1.39 ms | max 1.39 ms | in flight 20 | leader 2",
        "100; 8.0 s measure | 100,000/s | p50 1.07 ms p99 1.39 ms | total p99 1.39 ms | max 1.39 ms",
        "80; 8.0 s measure | 100,000/s | p50 1.07 ms p99 1.39 ms | total p99 1.39 ms",
        "60; 8.0 s measure | 100,000/s | p50 1.07 ms p99 1.39 ms",
        "10; 8.0 s mea" })
    void shouldFitTheTerminal(final int columns, final String expected)
    {
        new LiveView(stream, true, () -> columns).onInterval(interval(7, RunPhase.MEASURE, 100_020, 100_000));
        assertThat(text()).isEqualTo("\r\u001b[2K" + expected).hasSizeLessThan(columns + 5);
    }

    @Test
    void shouldPrintALinePerIntervalWithTheRateOfThatInterval()
    {
        final LiveView view = new LiveView(stream, false, () -> 80);
        view.onInterval(interval(0, RunPhase.MEASURE, 100_000, 100_000));
        view.onInterval(interval(1, RunPhase.MEASURE, 200_000, 150_000));
        assertThat(text().lines()).hasSize(2).anySatisfy((line) -> assertThat(line)
            .startsWith("2.0 s measure | 50,000 of 100,000/s ").endsWith("| in flight 50,000 | leader 2"));
    }

    @Test
    void shouldEndWithTheLastLineThatSaysSomething()
    {
        final LiveView view = new LiveView(stream, true, () -> 80);
        view.onInterval(interval(0, RunPhase.MEASURE, 100, 90));
        view.onInterval(interval(1, RunPhase.DRAIN, 100, 100));
        final String before = text();
        view.onInterval(interval(2, RunPhase.DRAIN, 100, 100));
        view.onInterval(interval(3, null, 100, 100));
        assertThat(before).contains("2.0 s drain | 10 of 100,000/s");
        assertThat(text()).isEqualTo(before + System.lineSeparator());
    }

    private String text()
    {
        return out.toString(StandardCharsets.UTF_8);
    }

    /** @param phase null for the last interval. */
    private RunInterval interval(final int number, final RunPhase phase, final long sent, final long answered)
    {
        final Counts totals = new Counts().set(Counter.SENT_ALL, sent).set(Counter.ANSWERED_ALL, answered);
        final RunInterval sample =
            SampleInterval.of(number, null == phase ? RunPhase.DRAIN : phase, null == phase, 100_000, totals);
        final Histogram times = sample.times().of(Time.RESPONSE);
        final Histogram once = times.copy();
        IntStream.range(1, 1_000).forEach((i) -> times.add(once));
        final RunInterval interval = new RunInterval(
            sample.phase(), sample.isLast(), 0, sample.beginNs(), sample.endNs(), sample.measuredNs(), 100_000, 2, totals,
            totals.since(totalsBefore), sample.times(), sample.warmUpResponseTimes(), sample.total());
        totalsBefore = totals;
        return interval;
    }
}
