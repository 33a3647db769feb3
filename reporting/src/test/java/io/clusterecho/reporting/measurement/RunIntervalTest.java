package io.clusterecho.reporting.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunIntervalTest
{
    @ParameterizedTest
    @CsvSource({
        "WARM_UP, 0, false",
        "WARM_UP, 9999999, false",
        "WARM_UP, 10000000, true",
        "MEASURE, 1000000, true",
        "DRAIN, 1000000, true" })
    void shouldNotCountStallsOfAWarmUpThatOnlyEndsALittleLate(
        final RunPhase phase, final long measuredNs, final boolean isMeasured)
    {
        final RunInterval interval = new RunInterval(
            phase, false, 0, 0, 1_000_000_000L, measuredNs, 0, -1, new Counts(), new Counts(), new Histograms(),
            TimeRecorder.newHistogram(), TimeRecorder.newHistogram());

        assertThat(interval.isMeasured()).isEqualTo(isMeasured);
    }
}
