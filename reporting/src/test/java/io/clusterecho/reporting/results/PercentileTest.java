package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterecho.reporting.measurement.TimeRecorder;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class PercentileTest
{
    @Test
    void shouldNotMakeUpATimeWhereNothingWasMeasured()
    {
        final Histogram histogram = TimeRecorder.newHistogram();

        assertThat(Percentile.P50.text(histogram)).isEqualTo("-");
    }

    @Test
    void shouldSayATimeWithItsUnit()
    {
        final Histogram histogram = TimeRecorder.newHistogram();
        histogram.recordValue(1_270_000);

        assertThat(Percentile.P99.text(histogram)).isEqualTo("1.27 ms");
    }
}
