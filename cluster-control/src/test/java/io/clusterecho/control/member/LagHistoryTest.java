package io.clusterecho.control.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterecho.media.counters.CounterColumn;
import io.clusterecho.media.counters.DriverSample;

import org.junit.jupiter.api.Test;

class LagHistoryTest
{
    private final LagHistory history = new LagHistory();

    @Test
    void shouldNotKnowALagWithoutASample()
    {
        assertThat(taken(CounterColumn.BACKUP_LAG_BYTES)).isEqualTo(DriverSample.MISSING);
        history.sample(5, 100, 100);
        assertLag(0, 0);
    }

    @Test
    void shouldCountFromTheTimeAtWhichTheFirstMissingByteWasCommitted()
    {
        history.sample(10, 100, 100);
        history.sample(20, 300, 100);
        history.sample(30, 500, 150);
        assertLag(350, 10);
        history.sample(40, 500, 299);
        assertLag(201, 20);
        history.sample(50, 500, 300);
        assertLag(200, 20);
        history.sample(60, 500, 500);
        assertLag(0, 0);
        history.sample(70, 600, 500);
        assertLag(100, 0);
    }

    @Test
    void shouldGrowWhileTheCopyStandsStill()
    {
        history.sample(0, 100, 100);
        for (int i = 1; i <= 100; i++)
        {
            history.sample(i, 100 + i, 100);
        }

        assertLag(100, 99);
    }

    @Test
    void shouldKeepTheMaximumOfAnInterval()
    {
        history.sample(0, 100, 100);
        history.sample(10, 900, 100);
        history.sample(30, 900, 200);
        history.sample(40, 900, 900);
        assertMax(800, 20);
        assertMax(0, 0);
    }

    @Test
    void shouldBeginAnIntervalWithThePresentLag()
    {
        history.sample(0, 100, 0);
        history.sample(10, 100, 0);
        history.take(DriverSample.newValues());

        assertMax(100, 10);
    }

    @Test
    void shouldKnowTheFirstMissingByteOfALongOutage()
    {
        history.sample(0, 1, 1);
        for (int i = 1; i <= 1_000_000; i++)
        {
            history.sample(i, 1 + i, 1);
        }
        assertLag(1_000_000, 999_999);
        // Later times are less exact: within a hundredth here.
        history.sample(1_000_001, 1_000_001, 500_000);
        assertThat(taken(CounterColumn.BACKUP_LAG_MS)).isBetween(500_000L, 510_000L);
    }

    @Test
    void shouldHaveNoNegativeLag()
    {
        history.sample(0, 100, 120);
        assertLag(0, 0);
    }

    private void assertLag(final long bytes, final long ageNs)
    {
        assertThat(taken(CounterColumn.BACKUP_LAG_BYTES)).isEqualTo(bytes);
        assertThat(taken(CounterColumn.BACKUP_LAG_MS)).isEqualTo(ageNs);
    }

    private void assertMax(final long bytes, final long ageNs)
    {
        final long[] values = DriverSample.newValues();
        history.take(values);
        assertThat(values[CounterColumn.BACKUP_LAG_MAX_BYTES.ordinal()]).isEqualTo(bytes);
        assertThat(values[CounterColumn.BACKUP_LAG_MAX_MS.ordinal()]).isEqualTo(ageNs);
    }

    private long taken(final CounterColumn column)
    {
        final long[] values = DriverSample.newValues();
        history.take(values);
        return values[column.ordinal()];
    }
}
