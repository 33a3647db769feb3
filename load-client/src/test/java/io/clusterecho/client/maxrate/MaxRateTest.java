package io.clusterecho.client.maxrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MaxRateTest
{
    private static final double KNEE = 50_000;
    private static final int TO_THE_END = Integer.MAX_VALUE;

    @ParameterizedTest
    @CsvSource({
        "0.1, 0,      5000000, CLUSTER, never sent",
        "0.9, 0,      5000000, CLIENT,  nothing pushed back",
        "0.9, 900000, 5000000, CLUSTER, the cluster pushed back",
        "0.1, 0,      55000,   CLIENT,  near its ceiling" })
    void shouldTellWhatTheLimitWas(
        final double sendDelayShare, final long backPressured, final long ceiling, final Limit.By by, final String why)
    {
        final MaxRate found = new SampleSearch(sendDelayShare, backPressured, ceiling).found(KNEE, TO_THE_END);
        assertThat(found.limit().by()).isEqualTo(by);
        assertThat(found.limit().reason()).contains(why);
        assertThat(String.join(" ", found.warnings()).contains("the client, not the cluster"))
            .isEqualTo(Limit.By.CLIENT == by);
    }

    @Test
    void shouldTellTheSpreadOfTheRunsAtItsAnswer()
    {
        final MaxRate found = new SampleSearch(0.1, 0, 5_000_000).found(KNEE, TO_THE_END);
        final List<Double> values = found.stepsAtAnswer().stream().map((step) -> step.values().get(0)).sorted().toList();
        // Once in the search, and three times to confirm.
        assertThat(values).hasSize(4);
        assertThat(found.spread(0)).isEqualTo(
            new MaxRate.Spread(values.get(0), (values.get(1) + values.get(2)) / 2, values.get(3), 4));
    }

    @Test
    void shouldNotLookGoodBeforeItIsConfirmed() throws IOException
    {
        final MaxRate found = new SampleSearch(0.1, 0, 5_000_000).found(KNEE, 6);
        final JsonNode json = new ObjectMapper().readTree(MaxRateJson.json(found, "somewhere"));
        assertThat(json.at("/verdict/label").asText()).isEqualTo("PARTIAL");
        assertThat(json.at("/verdict/partial").asBoolean()).isTrue();
        assertThat(json.at("/verdict/reasons/0").asText()).startsWith("partial");
        assertThat(json.at("/steps")).hasSize(6);
        assertThat(MaxRateText.text(found, "somewhere")).contains("PARTIAL").contains("NOT CONFIRMED");
    }

    @Test
    void shouldKeepTheKneeCurveInJsonAndCsv() throws IOException
    {
        final MaxRate found = new SampleSearch(0.25, 0, 5_000_000).found(KNEE, TO_THE_END);
        final JsonNode json = new ObjectMapper().readTree(MaxRateJson.json(found, "somewhere"));
        assertThat(json.get("format").asText()).isEqualTo("cluster-echo-max-rate/1");
        assertThat(json.get("slo").asText()).isEqualTo("p99<1ms,lost==0");
        assertThat(json.at("/answer/ratePerSecond").asLong()).isEqualTo(found.answer().ratePerSecond());
        assertThat(json.at("/answer/runsHeldAtRate").asLong()).isEqualTo(4);
        final List<String> rows = MaxRateJson.csv(found).lines().toList();
        assertThat(rows).hasSize(1 + found.steps().size());
        final List<String> columns = List.of(rows.get(0).split(","));
        for (int i = 0; i < found.steps().size(); i++)
        {
            final String[] row = rows.get(i + 1).split(",", -1);
            assertThat(row).hasSameSizeAs(columns);
            final JsonNode step = json.at("/steps/" + i);
            assertThat(row[columns.indexOf("rate_asked")]).isEqualTo(step.get("ratePerSecondAsked").asText());
            assertThat(Double.parseDouble(row[columns.indexOf("response_p99_us")]) * 1_000)
                .isEqualTo(step.at("/responseTimeNs/p99").asDouble());
            assertThat(Double.parseDouble(row[columns.indexOf("send_delay_share")]))
                .isEqualTo(step.get("sendDelayShare").asDouble()).isEqualTo(0.25);
            assertThat(row[columns.indexOf("held")]).isEqualTo(step.get("held").asText());
        }
    }

    @Test
    void shouldSayWhatHoldsSoFar()
    {
        final MaxRate found = new SampleSearch(0.1, 0, 5_000_000).found(KNEE, 6);
        final SearchAnswer answer = SearchAnswer.soFar(found.steps());
        // 10,000, 20,000 and 40,000 held, 80,000 broke twice, and 56,600 broke.
        assertThat(answer.ratePerSecond()).isEqualTo(40_000);
        assertThat(answer.brokenRate()).isEqualTo(56_600);
        assertThat(answer.status()).isEqualTo(SearchAnswer.Status.ENDED);
    }
}
