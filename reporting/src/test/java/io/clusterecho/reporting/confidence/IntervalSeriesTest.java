package io.clusterecho.reporting.confidence;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class IntervalSeriesTest
{
    private final IntervalSeries series = new IntervalSeries();

    @Test
    void shouldLeaveOutEmptyIntervalsBeforeAndAfterTheWindow()
    {
        add();
        add(100);
        add();
        add(200, 300);
        add();
        add();

        assertThat(series.blocks()).extracting(IntervalSeries.Block::total).containsExactly(1L, 0L, 2L);
        assertThat(series.totalCount()).isEqualTo(3);
    }

    @Test
    void shouldCountAndRankValues()
    {
        add(100, 100, 300);
        add(200, 300);

        assertThat(series.whole().values()).containsExactly(100, 200, 300);
        assertThat(series.whole().counts()).containsExactly(2, 1, 2);
        assertThat(series.whole().countUpTo(299)).isEqualTo(3);
        assertThat(series.whole().valueOfRank(2)).isEqualTo(100);
        assertThat(series.whole().valueOfRank(3)).isEqualTo(200);
        assertThat(series.whole().valueOfRank(9)).isEqualTo(300);
    }

    @Test
    void shouldMergeNeighboursOfALongRun()
    {
        for (int i = 0; i < 3_000; i++)
        {
            add(i);
        }

        assertThat(series.blocks()).hasSize(750).allMatch((block) -> 4 == block.total());
        assertThat(series.blocks().get(1).values()).containsExactly(4, 5, 6, 7);
        assertThat(series.totalCount()).isEqualTo(3_000);
    }

    private void add(final long... values)
    {
        final Histogram histogram = new Histogram(3);
        for (final long value : values)
        {
            histogram.recordValue(value);
        }
        series.add(histogram);
    }
}
