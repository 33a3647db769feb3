package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrecisionGoalTest
{
    @Test
    void shouldReadBothSigns()
    {
        assertThat(PrecisionGoal.parse("p99+-5%")).isEqualTo(new PrecisionGoal(Percentile.P99, 0.05));
        assertThat(PrecisionGoal.parse(" p99.9 \u00b1 0.1% ")).isEqualTo(new PrecisionGoal(Percentile.P99_9, 0.001));
        assertThat(PrecisionGoal.parse("p50+-0.5")).isEqualTo(new PrecisionGoal(Percentile.P50, 0.5));
        assertThat(PrecisionGoal.parse("p99.99\u00b12.5%")).hasToString("p99.99+-2.5%");
        assertThat(PrecisionGoal.parse("p99\uFFFD\uFFFD5%")).as("in the C locale").hasToString("p99+-5%");
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "p99", "p98+-5%", "max+-5%", "p99+-0.05%", "p99+-60%", "p99-5%", "p99+-5%,p50+-1%" })
    void shouldNameWhatIsAllowed(final String text)
    {
        assertThatThrownBy(() -> PrecisionGoal.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
