package io.clusterecho.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OverloadCommandTest
{
    @RegisterExtension
    private final StandardStreams streams = new StandardStreams();

    @TempDir
    private Path folder;

    private int execute(final String arguments)
    {
        return LoadClient.execute(
            ("overload --transport memory --warm-up 100ms --output " + folder + " " + arguments).split(" "));
    }

    @Test
    void shouldReportTheReturnFromAPulse() throws IOException
    {
        // The echo stalls in the pulse for longer than five times the p99 before it, unless this machine adds 140 ms to that.
        final int status = execute(
            "--rate 500 --pulse 2k --before 3s --pulse-for 200ms --return 2s --memory-delay 20ms --tolerance 400% " +
            "--memory-stall 800ms@3150ms --json");
        assertThat(status).as(streams.out() + streams.err()).isZero();
        final JsonNode overload = new ObjectMapper().readTree(streams.out()).get("overload");
        assertThat(overload.get("outcome").asText()).isEqualTo("RETURNED");
        assertThat(overload.get("pulseBeginNs").asLong()).isEqualTo(3_100_000_000L);
        assertThat(overload.get("pulseEndNs").asLong()).isEqualTo(3_300_000_000L);
        assertThat(overload.get("returnedAfterNs").asLong()).isBetween(50_000_000L, 1_500_000_000L);
        assertThat(overload.get("backlogMax").asLong()).isGreaterThan(200);
        final JsonNode result = new ObjectMapper().readTree(streams.out());
        assertThat(result.get("scheduled").asLong()).isEqualTo(1_500 + 400 + 1_000);
        assertThat(result.at("/configuration/rate").asText()).startsWith("steps:500*");
        final Path made = Path.of(result.get("resultFolder").asText());
        assertThat(made.getFileName().toString()).contains("overload");
        assertThat(Files.readString(made.resolve("summary.txt")))
            .contains("overload   RETURNED", "target 557/s (mean of steps:500");
        assertThat(Files.readString(made.resolve("report.html"))).contains("\"overload\":{");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--rate 10k --pulse 10k|--pulse=10k is not allowed: more than --rate 10000",
        "--rate sine:1k..2k/1s --pulse 10k|--rate=sine:1k..2k/1s is not allowed: a constant rate",
        "--rate 1k --pulse 10k --before 999ms|--before=999ms is not allowed: at least 1000ms",
        "--rate 1k --pulse 10k --return 4s --interval 500ms|--return=4s is not allowed: at least 5000ms",
        "--rate 1k --pulse 10k --pulse-for 0s|--pulse-for=0s is not allowed: more than 0",
        "--rate 1k --pulse 10k --arrivals poisson|--arrivals=poisson is not allowed: constant, because the backlog",
        "--rate 1k|--pulse" })
    void shouldSayWhatAPulseNeeds(final String arguments, final String message)
    {
        assertThat(execute(arguments)).isEqualTo(2);
        assertThat(streams.err()).contains(message);
    }

    @ParameterizedTest
    @CsvSource({ "max-rate --slo p99<1s", "failover", "chaos" })
    void shouldTakeAVaryingRateWhereOneRunIsMeasuredOnly(final String command)
    {
        final String arguments = command + " --rate ramp:1k..2k/1s --output " + folder;
        assertThat(LoadClient.execute(arguments.split(" "))).isEqualTo(2);
        assertThat(streams.err()).contains("--rate=ramp:1k..2k/1s is not allowed: a constant rate");
    }

    @Test
    void shouldMeasureTheMeanOfAVaryingRate() throws IOException
    {
        final String arguments = "run --transport memory --rate on-off:1k*100ms/100ms --duration 1s --warm-up 0s " +
            "--interval 100ms " +
            "--json --output " + folder;
        assertThat(LoadClient.execute(arguments.split(" "))).as(streams.err()).isZero();
        final JsonNode result = new ObjectMapper().readTree(streams.out());
        assertThat(result.get("ratePerSecondAsked").asLong()).isEqualTo(500);
        assertThat(result.get("scheduled").asLong()).isEqualTo(500);
        assertThat(result.at("/steadyState/reasons/0").asText()).contains("varies by schedule (on-off:1k*100ms/100ms)");
        assertThat(Files.readString(Path.of(result.get("resultFolder").asText()).resolve("intervals.csv")))
            .startsWith("begin_s").contains("target_per_s");
    }

    @Test
    void shouldSayWhatARateLooksLike()
    {
        assertThat(LoadClient.execute(new String[]{ "--rate", "sine:2k" })).isEqualTo(2);
        assertThat(streams.err()).contains("'sine:2k' is not allowed: sine:LOW..HIGH/PERIOD");
    }
}
