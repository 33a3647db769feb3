package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SpreadTest
{
    @Test
    void shouldTakeTheMiddleValueForTheMedian()
    {
        assertThat(Spread.of(9, 1, 4)).isEqualTo(new Spread(4, 1, 9, 3));
        assertThat(Spread.of(7)).isEqualTo(new Spread(7, 7, 7, 1));
    }

    @Test
    void shouldTakeTheLowerOfTheMiddleTwoForTheMedian()
    {
        assertThat(Spread.of(10, 2)).isEqualTo(new Spread(2, 2, 10, 2));
        assertThat(Spread.of(4, 100, 1, 2)).isEqualTo(new Spread(2, 1, 100, 4));
    }

    @Test
    void shouldLeaveTheValuesAsTheyAre()
    {
        final double[] values = { 3, 1, 2 };
        Spread.of(values);
        assertThat(values).containsExactly(3, 1, 2);
    }

    @Test
    void shouldNotBeOfNothing()
    {
        assertThatThrownBy(Spread::of).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("at least one");
    }
}
