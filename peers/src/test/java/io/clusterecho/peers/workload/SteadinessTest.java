package io.clusterecho.peers.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.document.Documents;

import org.junit.jupiter.api.Test;

class SteadinessTest
{
    private static final String BOUND = "\"warmUp\": {\"lengthNs\": 60000000000, \"unsteady\": \"p50 fell by 31%\"}";

    @Test
    void shouldSayNothingOfASteadyRun()
    {
        assertThat(unsteady("{\"warmUp\": {\"lengthNs\": 12000000000}}")).isNull();
        assertThat(unsteady("{\"steadyState\": {\"reached\": true, \"fromNs\": 0, \"reasons\": []}}")).isNull();
        assertThat(unsteady("{}")).isNull();
    }

    @Test
    void shouldNameWhatChangedInTheWarmUp()
    {
        assertThat(unsteady("{" + BOUND + "}")).isEqualTo("p50 fell by 31%");
        assertThat(unsteady("{\"warmUp\": {\"lengthNs\": 1, \"unsteady\": null}}")).isNull();
    }

    @Test
    void shouldNameWhatChangedInTheMeasuredWindow()
    {
        assertThat(unsteady("{\"steadyState\": {\"reached\": false, \"reasons\": [\"p50 changed\", \"p99 changed\"]}}"))
            .isEqualTo("p50 changed; p99 changed");
        // Steady later: percentiles of the complete window are those of a mixture.
        assertThat(unsteady("{\"steadyState\": {\"reached\": true, \"fromNs\": 5, \"reasons\": [\"p50 changed\"]}}"))
            .isEqualTo("p50 changed");
        // Too short to be judged.
        assertThat(unsteady("{\"steadyState\": {\"reasons\": [\"fewer than 20\"]}}")).isNull();
    }

    @Test
    void shouldReadTheLengthOfAWarmUpThatEndedByItself()
    {
        assertThat(WorkloadCellRunner.warmUpNs(parsed("{" + BOUND + "}"))).isEqualTo(60e9);
        assertThat(WorkloadCellRunner.warmUpNs(parsed("{}"))).isNull();
    }

    private static String unsteady(final String json)
    {
        return WorkloadCellRunner.unsteady(parsed(json));
    }

    private static JsonNode parsed(final String json)
    {
        return Documents.parse(json);
    }
}
