package io.clusterecho.client.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceCapacityTest
{
    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "fixed:10us; 100000; 100,000; 100,000; 100", "fixed:10us; 150000; 100,000; 150,000; 150",
        "exponential:1ms; 2000; 1,000; 2,000; 200" })
    void shouldWarnOfMoreWorkThanTheServiceCanDo(
        final String text, final long ratePerSecond, final String capacity, final String rate, final String share)
    {
        assertThat(ClusterFlows.capacityWarning(Map.of("echo.service.time", text), ratePerSecond)).contains(
            "the members' service cannot keep up: with echo.service.time=" + text + " it processes at most " + capacity +
            " messages/s, and the load of " + rate + "/s needs " + share + "% of its time");
    }

    @Test
    void shouldNotWarnOfWorkThatTheServiceCanDo()
    {
        assertThat(ClusterFlows.capacityWarning(Map.of("echo.service.time", "fixed:10us"), 99_999)).isEmpty();
        assertThat(ClusterFlows.capacityWarning(Map.of("echo.service.time", "none"), 1_000_000_000)).isEmpty();
        assertThat(ClusterFlows.capacityWarning(Map.of(), 1_000_000_000)).isEmpty();
    }
}
