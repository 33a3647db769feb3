package io.clusterecho.node.stage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PositionTimesTest
{
    private final PositionTimes times = new PositionTimes(8);

    @Test
    void shouldReportWhenAPositionWasFirstReached()
    {
        times.add(100, 1);
        times.add(200, 2);
        times.add(300, 3);

        assertThat(times.timeNs(101)).isEqualTo(2);
        assertThat(times.timeNs(200)).isEqualTo(2);
        assertThat(times.timeNs(201)).isEqualTo(3);
        assertThat(times.timeNs(301)).isEqualTo(PositionTimes.NOT_YET);
        times.add(400, 4);
        assertThat(times.timeNs(301)).isEqualTo(4);
    }

    @Test
    void shouldNotReportPositionsReachedBeforeItsStart()
    {
        assertThat(times.timeNs(50)).isEqualTo(PositionTimes.UNKNOWN);
        times.add(100, 1);
        times.add(200, 2);

        assertThat(times.timeNs(100)).isEqualTo(PositionTimes.UNKNOWN);
        assertThat(times.timeNs(150)).isEqualTo(2);
    }

    @Test
    void shouldNotReportDroppedPositions()
    {
        for (int i = 1; i <= 100; i++)
        {
            times.add(100 * i, i);
        }

        assertThat(times.timeNs(5_000)).isEqualTo(PositionTimes.UNKNOWN);
        assertThat(times.timeNs(9_500)).isEqualTo(95);
        assertThat(times.timeNs(10_000)).isEqualTo(100);
    }
}
