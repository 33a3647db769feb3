package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.compare.ComparisonPlan;
import io.clusterecho.reporting.compare.Metric;
import io.clusterecho.reporting.foreign.SampleForeign;
import io.clusterecho.reporting.measurement.SampleInterval;
import io.clusterecho.reporting.compare.Trend;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every kind of page passes all rules of axe-core on a phone, a tablet and a desk, and at one width each in dark colours, which
 * do not depend on it, and in print. It does not scroll sideways on a screen.
 */
class AccessibilityTest
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Map<String, List<Integer>> WIDTHS = Map.of(
        "screen light", List.of(360, 768, 1440), "screen dark", List.of(1440), "print light", List.of(768));

    @TempDir
    private Path parent;

    @ParameterizedTest
    @ValueSource(strings = {
        "reference-20261126-demo",
        "reference-20261123-failover/once-kills",
        "reference-20261129-max-rate",
        "reference-20261127-fsync-cost",
        "reference-20261127-fsync-cost/baseline" })
    void shouldPassWithACommittedResult(final String folder) throws Exception
    {
        check(List.of(Path.of("..", "results").resolve(folder)));
    }

    @Test
    void shouldPassWithRunsOfEveryVerdict() throws Exception
    {
        final List<Path> folders = new ArrayList<>();
        for (final String verdict : List.of("GOOD", "PARTIAL", "FAILED"))
        {
            folders.add(SampleResult.write(parent.resolve(verdict), verdict, verdict));
        }
        folders.add(SampleForeign.write(parent.resolve("foreign/" + SampleForeign.NAME + ".hdr"), 100_000).getParent());
        check(folders);
    }

    @Test
    void shouldPassWithASuite() throws Exception
    {
        final Path folder = parent.resolve("suite");
        SuitePageTest.write(folder, "cluster-echo-suite/1");
        check(List.of(folder));
    }

    @Test
    void shouldPassWithReceivers() throws Exception
    {
        final Path folder = parent.resolve("receivers");
        ReceiversPageTest.write(folder, "FAILED", 7);
        check(List.of(folder));
    }

    @Test
    void shouldPassWithBoundsOnTheKneeCurve() throws Exception
    {
        final Path folder = Files.createDirectory(parent.resolve("search"));
        final Path committed = Path.of("..", "results", "reference-20261122-failover", "highest", "max-rate.json");
        final ObjectNode search = (ObjectNode)MAPPER.readTree(committed.toFile());
        for (final JsonNode step : search.get("steps"))
        {
            final ObjectNode times = (ObjectNode)step.get("responseTimeNs");
            final ObjectNode bounds = times.putObject("confidence95");
            for (final String percentile : List.of("p50", "p99", "p99.9"))
            {
                final long timeNs = times.get(percentile).asLong();
                bounds.putArray(percentile).add(timeNs * 9 / 10).add(timeNs * 11 / 10);
            }
        }
        Files.writeString(folder.resolve("max-rate.json"), search.toString());
        final Browser browser = Browser.required();
        final Path page = folder.resolve("report.html");
        ReportPage.write(page, List.of(folder));
        assertThat(browser.drawn(page)).contains("Whiskers: the 95% bounds of a run.").containsPattern("Knee, at [0-9,]+/s");
        browser.screenshots(page, "knee");
        check(browser, page.toUri().toString());
    }

    @Test
    void shouldPassWithARecordOverTime() throws Exception
    {
        final Path record = parent.resolve("record");
        for (int day = 0; day < 12; day++)
        {
            for (int repeat = 0; repeat < 3; repeat++)
            {
                final Path folder = Files.createDirectories(record.resolve(day + "-" + repeat));
                final ObjectNode manifest = SampleResult.manifest("nightly", "GOOD");
                manifest.put("start", String.format("2026-01-%02dT03:00:0%dZ", day + 1, repeat));
                ((ObjectNode)manifest.get("versions")).put("commit", "commit" + day);
                final long timeNs = 1_000_000 + 7_000 * (day * 5 % 4) + 1_000 * repeat + (day < 6 ? 0 : 400_000);
                ((ObjectNode)manifest.get("responseTimeNs")).put("p50", timeNs).put("p99", 9 * timeNs);
                Files.writeString(folder.resolve("manifest.json"), manifest.toString());
            }
        }
        final Trend trend = Trend.of(
            List.of(record), new ComparisonPlan(Metric.parseOverTime("p50,p99"), 0.05, 0.05, Set.of(), false), true);
        final Path page = parent.resolve("trend.html");
        ReportPage.writeTrend(page, trend);
        final Browser browser = Browser.required();
        assertThat(browser.drawn(page)).contains("response time p50 rose by");
        browser.screenshots(page, "trend");
        check(browser, page.toUri().toString());
    }

    @Test
    void shouldPassWhileARunIsInProgress() throws Exception
    {
        final Browser browser = Browser.required();
        try (LiveServer server = new LiveServer("--live-port", 0))
        {
            final LiveRun run = server.show(
                new LiveRun("live", parent, "java -jar load-client.jar", "fsync 0: in words", List.of()));
            for (int i = 0; i < 5; i++)
            {
                run.onInterval(SampleInterval.of(i));
            }
            check(browser, server.address());
        }
    }

    private void check(final List<Path> folders) throws Exception
    {
        final Browser browser = Browser.required();
        final Path page = parent.resolve("page.html");
        ReportPage.write(page, folders);
        check(browser, page.toUri().toString());
    }

    private static void check(final Browser browser, final String address) throws Exception
    {
        try (BrowserPage page = browser.open(address))
        {
            for (final String media : WIDTHS.keySet())
            {
                final String[] typeAndScheme = media.split(" ");
                page.media(typeAndScheme[0], typeAndScheme[1]);
                for (final int width : WIDTHS.get(media))
                {
                    page.resize(width);
                    assertThat(page.accessibilityViolations()).as(media + ", width " + width).isEmpty();
                    if ("screen".equals(typeAndScheme[0]))
                    {
                        assertThat(page.evaluate("document.documentElement.scrollWidth").asInt())
                            .as("width of the page, " + media).isLessThanOrEqualTo(width);
                    }
                }
            }
            assertThat(page.complaints()).isEmpty();
        }
    }
}
