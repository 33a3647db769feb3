package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.compare.ComparisonPlan;
import io.clusterecho.reporting.compare.Metric;
import io.clusterecho.reporting.foreign.SampleForeign;
import io.clusterecho.reporting.compare.Trend;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every kind of page passes all rules of axe-core on a phone, on a desk and in print, and those about colours in dark colours. It
 * does not scroll sideways on a phone, a tablet or a desk.
 */
class AccessibilityTest
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String ALL_RULES = "";
    /** By name: the tag of rules about colours has one more, for a contrast of 7 to 1, which is off by default. */
    private static final String COLOUR_RULES = "runOnly: ['color-contrast', 'link-in-text-block'], ";

    /** @param rules an option of axe.run; null if only the width is checked. */
    private record View(String media, String scheme, int width, String rules)
    {
    }

    /** In the order in which a page draws its charts least often. */
    private static final List<View> VIEWS = List.of(
        new View("screen", "light", 1440, ALL_RULES), new View("screen", "dark", 1440, COLOUR_RULES),
        new View("print", "light", 768, ALL_RULES), new View("screen", "light", 768, null),
        new View("screen", "light", 360, ALL_RULES));

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
    void shouldPassWithAnIndexOfCommittedResults() throws Exception
    {
        check(List.of(Path.of("..", "results")));
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
        final Path file = folder.resolve("report.html");
        ReportPage.write(file, List.of(folder));
        try (BrowserPage page = Browser.required().open(file.toUri().toString()))
        {
            assertThat(page.drawn()).contains("Whiskers: the 95% bounds of a run.").containsPattern("Knee, at [0-9,]+/s");
            Browser.screenshots(page, "knee");
            check(page);
        }
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
            List.of(record), new ComparisonPlan(Metric.parse("p50,p99"), 0.05, 0.05, Set.of(), false), true);
        final Path file = parent.resolve("trend.html");
        ReportPage.writeTrend(file, trend);
        try (BrowserPage page = Browser.required().open(file.toUri().toString()))
        {
            assertThat(page.drawn()).contains("response time p50 rose by");
            Browser.screenshots(page, "trend");
            check(page);
        }
    }

    private void check(final List<Path> folders) throws Exception
    {
        final Path file = parent.resolve("page.html");
        ReportPage.write(file, folders);
        try (BrowserPage page = Browser.required().open(file.toUri().toString(), VIEWS.get(0).width()))
        {
            check(page);
        }
    }

    private static void check(final BrowserPage page)
    {
        for (final View view : VIEWS)
        {
            page.media(view.media(), view.scheme());
            page.resize(view.width());
            if (null != view.rules())
            {
                assertThat(page.accessibilityViolations(view.rules())).as(view.toString()).isEmpty();
            }
            if ("screen".equals(view.media()))
            {
                assertThat(page.evaluate("document.documentElement.scrollWidth").asInt()).as(view.toString())
                    .isLessThanOrEqualTo(view.width());
            }
        }
        assertThat(page.complaints()).isEmpty();
    }
}
