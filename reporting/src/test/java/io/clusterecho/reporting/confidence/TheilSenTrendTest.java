package io.clusterecho.reporting.confidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;

import io.clusterecho.reporting.confidence.SteadyRule.TheilSenTrend;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class TheilSenTrendTest
{
    @Test
    void shouldBeTheChangeFromTheFirstValueToTheLast()
    {
        final TheilSenTrend trend = TheilSenTrend.of(80, 85, 90, 95, 100, 105, 110, 115, 120);
        assertThat(trend.share()).isCloseTo(0.4, Offset.offset(1e-9));
        assertThat(trend.isDoubtful()).isFalse();
        assertThat(TheilSenTrend.of(120, 110, 100, 90, 80).share()).isCloseTo(-0.4, Offset.offset(1e-9));
    }

    @Test
    void shouldNotMindAnOutlier()
    {
        assertThat(TheilSenTrend.of(100, 101, 99, 100, 9_999, 101, 100, 99, 100, 9_000).share()).isBetween(-0.05, 0.05);
    }

    @Test
    void shouldBeOfNoAccountInEqualValues()
    {
        assertThat(TheilSenTrend.of(5, 5, 5, 5, 5)).isEqualTo(new TheilSenTrend(0, true));
    }

    @Test
    void shouldDoubtATrendInManyValuesThatOnlyScatter()
    {
        final SplittableRandom random = new SplittableRandom(5);
        assertThat(TheilSenTrend.of(random.doubles(1_500, 1, 2).toArray()).isDoubtful()).isTrue();
    }

    @Test
    void shouldDoubtFiveInAHundredRandomSeriesLess()
    {
        final SplittableRandom random = new SplittableRandom(3);
        int foundCount = 0;
        for (int i = 0; i < 4_000; i++)
        {
            foundCount += TheilSenTrend.of(random.doubles(10, 1, 2).toArray()).isDoubtful() ? 0 : 1;
        }
        assertThat(foundCount / 4_000.0).isBetween(0.03, 0.07);
    }
}
