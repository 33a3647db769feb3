package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;

import javax.imageio.ImageIO;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a reader of a page sees without scrolling sideways, and what can be saved of it. */
class PageLayoutTest
{
    private static final List<String> TIMES =
        List.of("responseTimeNs", "serviceTimeNs", "sendDelayNs", "receiveLatenessNs", "stallNs");
    private static final List<String> BOUNDED = List.of("p50", "p90", "p99", "p99.9", "p99.99");

    @TempDir
    private static Path parent;
    /** One for all tests, of a run with five times. */
    private static BrowserPage page;

    @BeforeEach
    void openOrReset() throws Exception
    {
        final Browser browser = Browser.required();
        if (null != page)
        {
            page.media("screen", "light");
            page.resize(1200);
            return;
        }
        final Path folder = SampleResult.write(parent.resolve("run"), "run", "GOOD");
        final ObjectNode manifest = SampleResult.manifest("run", "GOOD");
        manifest.putObject("receiveLatenessNs").setAll((ObjectNode)manifest.get("stallNs").deepCopy());
        TIMES.forEach((time) -> BOUNDED.forEach((percentile) ->
            manifest.withObject("/" + time + "/confidence95").putArray(percentile).add(921_000).add(1_210_000)));
        page = open(browser, folder, manifest);
    }

    @AfterAll
    static void close()
    {
        if (null != page)
        {
            page.close();
            page = null;
        }
    }

    private static BrowserPage open(final Browser browser, final Path folder, final ObjectNode manifest)
        throws IOException, InterruptedException
    {
        Files.writeString(folder.resolve("manifest.json"), manifest.toString());
        final Path file = folder.resolve("report.html");
        ReportPage.write(file, List.of(folder));
        return browser.open(file.toUri().toString());
    }

    @ParameterizedTest
    @ValueSource(ints = { 1280, 1241, 1000 })
    void shouldShowAllTimesWithTheirBoundsOnADesk(final int width)
    {
        page.resize(width);
        assertThat(page.evaluate("[...document.querySelectorAll('.scroll')].filter((node) =>" +
            "node.scrollWidth > node.clientWidth + 1).map((node) => node.dataset.name)")).as("tables cut off").isEmpty();
        assertThat(page.evaluate("document.querySelector('[data-bounds=\"responseTimeNs.p50\"]').textContent").asText())
            .isEqualTo("921 us – 1.21 ms");
    }

    @Test
    void shouldFitAPhone()
    {
        page.resize(360);
        assertThat(page.evaluate("document.documentElement.scrollWidth").asInt()).isLessThanOrEqualTo(360);
    }

    @Test
    void shouldFoldTheConfigurationUntilItIsWanted()
    {
        final String settings = "[...document.querySelectorAll('details.keys')].find((node) => node.querySelector('.facts'))";
        assertThat(page.evaluate(settings + ".open").asBoolean()).isFalse();
        page.media("print", "light");
        assertThat(page.evaluate(settings + ".open").asBoolean()).as("on paper").isTrue();
    }

    @Test
    void shouldExplainMissingBoundsInASentenceForEachReason() throws Exception
    {
        final ObjectNode manifest = SampleResult.manifest("run", "GOOD");
        for (final String time : List.of("responseTimeNs", "serviceTimeNs"))
        {
            final String few = "serviceTimeNs".equals(time) ? "11 intervals" : "10 intervals";
            BOUNDED.forEach((percentile) -> manifest.withObject("/" + time + "/confidence95Missing")
                .put(percentile, "p99.99".equals(percentile) ? "few messages" : few));
        }
        manifest.withObject("/sendDelayNs").remove("confidence95Missing");
        try (BrowserPage other = open(Browser.required(), parent.resolve("run"), manifest))
        {
            assertThat(other.evaluate("document.body.innerText").asText())
                .contains("No bounds of p50, p90, p99, p99.9: 10 intervals. No bounds of p99.99: few messages.");
        }
    }

    @Test
    void shouldSaveEachChartWithItsTitleAndLegend() throws IOException
    {
        page.evaluate("HTMLAnchorElement.prototype.click = function () { (window.saved ||= {})[this.download] = this.href; };" +
            "document.querySelectorAll('.save button').forEach((button) => button.click())");
        final JsonNode saved = page.evaluate("window.saved");
        assertThat(saved).hasSizeGreaterThan(10).allSatisfy((link) -> assertThat(link.asText()).startsWith("data:image/"));
        assertThat(page.complaints()).isEmpty();
        final String svg = URLDecoder.decode(
            saved.get("percentiles.svg").asText().replace("+", "%2B"), StandardCharsets.UTF_8);
        assertThat(svg).contains("<svg", ">Percentiles</text>", ">response time</text>", ">send delay</text>");
        final byte[] png = Base64.getDecoder().decode(saved.get("heat-map.png").asText().replaceFirst(".*,", ""));
        assertThat(ImageIO.read(new ByteArrayInputStream(png)).getWidth()).isEqualTo(1920);
    }

    @Test
    void shouldSpellMicrosecondsAsTextDoes()
    {
        assertThat(page.evaluate("document.body.innerText").asText()).contains(" us").doesNotContain("µs");
    }
}
