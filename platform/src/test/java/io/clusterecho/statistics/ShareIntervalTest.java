package io.clusterecho.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShareIntervalTest
{
    /** As {@code binom.test} of R gives them. */
    @ParameterizedTest
    @CsvSource({
        "9, 10, 0.5550, 0.9975", "10, 10, 0.6915, 1", "0, 10, 0, 0.3085", "1, 2, 0.0126, 0.9874", "19, 20, 0.7513, 0.9987",
        "99, 100, 0.9455, 0.9997", "5, 2000, 0.00081, 0.00582", "100, 2000, 0.04086, 0.06048" })
    void shouldBoundAShareExactly(final int passedCount, final int count, final double low, final double high)
    {
        final ShareInterval interval = ShareInterval.of(passedCount, count);
        assertThat(interval.low()).isCloseTo(low, within(5e-5));
        assertThat(interval.high()).isCloseTo(high, within(5e-5));
    }
}
