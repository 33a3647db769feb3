package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Counts;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.RunPhase;
import io.clusterecho.reporting.measurement.SampleInterval;
import io.clusterecho.reporting.results.Threshold;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiveMetricsTest
{
    private static final String PREFIX = "cluster_echo_client_";

    private boolean areStallsCounted;
    private final Map<Counter, Long> counts = new HashMap<>(Map.of(
        Counter.SENT_ALL, 120L, Counter.ANSWERED_ALL, 110L, Counter.SENT, 20L, Counter.ANSWERED, 9L, Counter.LATE, 1L));

    @Test
    void shouldHaveTheCountsOfTheNewestInterval()
    {
        final Map<String, Double> metrics = metrics(run("", false));
        assertThat(metrics)
            .containsEntry("sent_messages_total", 120.0).containsEntry("answered_messages_total", 110.0)
            .containsEntry("late_messages_total", 1.0).containsEntry("lost_messages_total", 0.0)
            .containsEntry("in_flight_messages", 10.0).containsEntry("target_messages_per_second", 5_000.0)
            .containsEntry("leader_member_id", -1.0).containsEntry("phase{phase=\"measure\"}", 1.0)
            .containsEntry("phase{phase=\"drain\"}", 0.0)
            .containsEntry("run_info{durability=\"fsync 0: in words\",label=\"a \\\"label\\\"\"}", 1.0);
    }

    @Test
    void shouldCountAMessageAsLostOnceTheRunHasEnded()
    {
        assertThat(metrics(run("", true))).containsEntry("lost_messages_total", 10.0);
    }

    @Test
    void shouldHaveTimesInSecondsInBucketsThatAddUp()
    {
        final Map<String, Double> metrics = metrics(run("", false));
        // Intervals 0 and 1 have one and two values of 1 ms and a little more.
        assertThat(metrics).containsEntry("response_time_seconds_count", 3.0)
            .containsEntry("response_time_seconds_bucket{le=\"5.0E-4\"}", 0.0)
            .containsEntry("response_time_seconds_bucket{le=\"0.001\"}", 2.0)
            .containsEntry("response_time_seconds_bucket{le=\"0.002\"}", 3.0)
            .containsEntry("response_time_seconds_bucket{le=\"10.0\"}", 3.0)
            .containsEntry("response_time_seconds_bucket{le=\"+Inf\"}", 3.0)
            .containsEntry("service_time_seconds_count", 3.0).containsEntry("send_delay_seconds_count", 3.0)
            .containsEntry("receive_lateness_seconds_count", 3.0)
            .containsEntry("stall_seconds_count", 2.0);
        assertThat(metrics.get("response_time_seconds_sum")).isCloseTo(3e-3, within(2e-5));
        assertThat(metrics.get("interval_response_time_seconds{quantile=\"1.0\"}")).isCloseTo(1.0079e-3, within(2e-6));
        assertThat(metrics.get("interval_response_time_seconds{quantile=\"0.5\"}")).as("of two messages").isNaN();
        assertThat(metrics).containsKey("interval_response_time_seconds{quantile=\"0.999\"}");
    }

    @ParameterizedTest
    @CsvSource({ "DUPLICATES, '', 1", "CORRUPT, '', 1", "BACK_PRESSURED, '', 0", "NEW_LEADERS, '', 0",
        "BACK_PRESSURED, p99<1ms, 1", "BACK_PRESSURED, 'p99<5ms,lost==0,rate>=99%', 0" })
    void shouldKnowWhetherTheRunHasFailedAlready(final Counter counter, final String thresholds, final double expected)
    {
        counts.put(counter, 7L);
        assertThat(metrics(run(thresholds, false))).containsEntry("run_failed", expected);
    }

    @Test
    void shouldLeaveStallsOfTheWarmUpOut()
    {
        counts.put(Counter.SENT, 0L);
        final LiveRun run = newRun("");
        run.onInterval(interval(0, RunPhase.WARM_UP, false));
        assertThat(metrics(run)).containsEntry("stall_seconds_count", 0.0);
        run.onInterval(interval(1, RunPhase.MEASURE, false));
        assertThat(metrics(run)).containsEntry("stall_seconds_count", 1.0);
    }

    @Test
    void shouldBeginTheChartsAfterAWarmUpThatEndsWithTheFirstMeasuredMessage()
    {
        areStallsCounted = true;
        final LiveRun run = newRun("");
        run.onInterval(interval(0, RunPhase.WARM_UP, false));
        assertThat(run.snapshot().measuredFromNs()).isNegative();
        run.onInterval(interval(1, RunPhase.MEASURE, false));
        assertThat(run.snapshot().measuredFromNs()).isEqualTo(1_000_000_000L);
    }

    @Test
    void shouldHaveValuesBeforeTheFirstInterval()
    {
        final Map<String, Double> metrics = metrics(newRun(""));
        assertThat(metrics).containsEntry("sent_messages_total", 0.0).containsEntry("run_failed", 0.0)
            .containsEntry("leader_member_id", -1.0).containsEntry("phase{phase=\"warm_up\"}", 0.0)
            .containsEntry("response_time_seconds_count", 0.0);
        assertThat(metrics.get("interval_response_time_seconds{quantile=\"0.5\"}")).isNaN();
    }

    /** What {@code promtool check metrics} demands. */
    @Test
    void shouldNameMetricsByTheRulesOfPrometheus()
    {
        final String text = text(run("", false));
        final Map<String, String> types = found(text, "# TYPE (\\S+) (\\S+)").stream()
            .collect(Collectors.toMap((one) -> one.group(1), (one) -> one.group(2)));
        final Map<String, String> helps = found(text, "# HELP (\\S+) (.*)").stream()
            .collect(Collectors.toMap((one) -> one.group(1), (one) -> one.group(2)));
        assertThat(types).hasSizeGreaterThan(20).allSatisfy((name, type) ->
        {
            assertThat(name).startsWith(PREFIX).matches("[a-z_]+").doesNotMatch(".*_(ms|us|ns|millis|gauge|counter|histogram)");
            assertThat(name.endsWith("_total")).as(name).isEqualTo("counter".equals(type));
            assertThat(name.matches(".*(_count|_sum|_bucket)")).as(name).isFalse();
            assertThat(name.endsWith("_seconds") || List.of("counter", "gauge").contains(type)).as(name).isTrue();
        });
        assertThat(helps.keySet()).isEqualTo(types.keySet());
        assertThat(helps.values()).allSatisfy((help) -> assertThat(help).endsWith("."));
    }

    @Test
    void shouldHaveEveryMetricOfTheDashboard() throws IOException
    {
        final String text = text(run("", false));
        final TreeSet<String> shown = new TreeSet<>();
        new ObjectMapper().readTree(Path.of("../config/monitoring/grafana-dashboard.json").toFile()).findValuesAsText("expr")
            .forEach((expression) -> found(expression, PREFIX + "[a-z_]+").forEach((one) -> shown.add(one.group())));
        assertThat(shown).hasSizeGreaterThan(15)
            .allSatisfy((name) -> assertThat(text).containsPattern("(?m)^" + name + "[ {]"));
        assertThat(Files.readString(Path.of("../docs/DIAGNOSIS.md"))).contains("config/monitoring/grafana-dashboard.json");
    }

    private LiveRun newRun(final String thresholds)
    {
        return new LiveRun(
            "a \"label\"", Path.of("results/one"), "java -jar load-client.jar", "fsync 0: in words",
            thresholds.isEmpty() ? List.of() : Threshold.parse(thresholds));
    }

    private LiveRun run(final String thresholds, final boolean isOver)
    {
        final LiveRun run = newRun(thresholds);
        run.onInterval(interval(0, RunPhase.MEASURE, false));
        run.onInterval(interval(1, RunPhase.MEASURE, isOver));
        return run;
    }

    private RunInterval interval(final int number, final RunPhase phase, final boolean isLast)
    {
        final Counts totals = new Counts();
        counts.forEach(totals::set);
        return SampleInterval.of(number, phase, isLast, 5_000, totals);
    }

    /** Values by name and labels, without the prefix. */
    private static Map<String, Double> metrics(final LiveRun run)
    {
        return found(text(run), "(?m)^" + PREFIX + "(.+) (\\S+)$").stream()
            .collect(Collectors.toMap((one) -> one.group(1), (one) -> Double.valueOf(one.group(2))));
    }

    private static String text(final LiveRun run)
    {
        return new String(new LiveMetrics(run).text(), StandardCharsets.UTF_8);
    }

    private static List<MatchResult> found(final String text, final String pattern)
    {
        return Pattern.compile(pattern).matcher(text).results().toList();
    }
}
