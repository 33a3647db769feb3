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
        histogram.recordValueWithCount(1_270_000, 1_000);

        assertThat(Percentile.P99.text(histogram)).isEqualTo("1.27 ms");
    }

    @Test
    void shouldStateOnlyWhatTenValuesAreBeyond()
    {
        final Histogram histogram = TimeRecorder.newHistogram();
        histogram.recordValueWithCount(1_270_000, 999);

        assertThat(Percentile.P99.text(histogram)).isEqualTo("-");
        assertThat(Percentile.P90.stated(histogram)).isEqualTo(Percentile.P90.of(histogram));
        assertThat(Percentile.MAX.text(histogram)).isEqualTo("1.27 ms");
        final long[] tooFew = { 19, 99, 999, 9_999, 99_999, 0 };
        for (final Percentile percentile : Percentile.values())
        {
            final long count = tooFew[percentile.ordinal()];
            assertThat(Percentile.isStated(percentile.percent(), count)).as("%s of %d", percentile, count).isFalse();
            assertThat(Percentile.isStated(percentile.percent(), count + 1)).as("%s", percentile).isTrue();
        }
        assertThat(Percentile.isStated(99.99, 10_000_000_000L)).as("more than an int").isTrue();
    }
}
