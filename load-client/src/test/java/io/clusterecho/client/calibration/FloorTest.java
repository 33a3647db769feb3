package io.clusterecho.client.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FloorTest
{
    @ParameterizedTest
    // 30 us from intended send time, 20 us from send time, syncs of 0 and 200 us.
    @CsvSource({ "0, 3, 50", "0, 1, 30", "0, 2, 50", "0, 5, 50", "200, 3, 250", "200, 1, 230" })
    void shouldAddWhatLiesOnTheCriticalPath(final long syncUs, final int memberCount, final long floorUs)
    {
        assertThat(Baseline.floorNs(30_000, 20_000, syncUs * 1_000, memberCount)).isEqualTo(floorUs * 1_000);
    }

    @Test
    void shouldRefuseWhatCannotBe()
    {
        assertThatThrownBy(() -> Baseline.floorNs(-1, 0, 0, 3)).hasMessageContaining("responseTimeNs=-1");
        assertThatThrownBy(() -> Baseline.floorNs(0, -1, 0, 3)).hasMessageContaining("serviceTimeNs=-1");
        assertThatThrownBy(() -> Baseline.floorNs(0, 0, -1, 3)).hasMessageContaining("syncNs=-1");
        assertThatThrownBy(() -> Baseline.floorNs(0, 0, 0, 0)).hasMessageContaining("memberCount=0");
    }
}
