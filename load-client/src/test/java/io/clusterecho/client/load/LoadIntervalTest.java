package io.clusterecho.client.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterecho.reporting.measurement.RunPhase;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadIntervalTest
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
        final LoadInterval interval = new LoadInterval();
        interval.phase = phase;
        interval.measuredNs = measuredNs;

        assertThat(interval.isMeasured()).isEqualTo(isMeasured);
    }
}
