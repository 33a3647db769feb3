package io.clusterecho.client.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.RunPhase;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadIntervalTest
{
    @ParameterizedTest
    @CsvSource({
        "WARM_UP, 1000, 0, false",
        "WARM_UP, 1000, 10, false",
        "WARM_UP, 1000, 11, true",
        "WARM_UP, 10, 1, false",
        "WARM_UP, 10, 2, true",
        "WARM_UP, 10000000, 100000, false",
        "WARM_UP, 10000000, 100001, true",
        "MEASURE, 1000, 0, true",
        "DRAIN, 1000, 500, true" })
    void shouldNotCountStallsOfAWarmUpThatOnlyEndsALittleLate(
        final RunPhase phase, final long ratePerSecond, final long sent, final boolean isMeasured)
    {
        final LoadInterval interval = new LoadInterval();
        interval.phase = phase;
        interval.ratePerSecondAsked = ratePerSecond;
        interval.counts[Counter.SENT.ordinal()] = sent;

        assertThat(interval.isMeasured()).isEqualTo(isMeasured);
    }
}
