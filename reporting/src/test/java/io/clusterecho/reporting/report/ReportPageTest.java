package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportPageTest
{
    private static final String HOSTILE =
        "</script><script>throw new Error('out')</script><!-- <img src=x onerror=alert(1)> & @data@";
    private static final int MAX_RUN_PAGE_BYTES = 1_500_000;
    private static final int MAX_SWEEP_PAGE_BYTES = 4_000_000;
    private static final Pattern DATA =
        Pattern.compile("<script type=\"application/json\" id=\"data\">(.*?)</script>", Pattern.DOTALL);
    private static final Pattern CELL = Pattern.compile("data-field=\"([^\"]+)\" data-value=\"([^\"]+)\"");

    @TempDir
    private static Path shared;
    /** Of a run that is good, for tests that only read it. */
    private static BrowserPage good;

    @TempDir
    private Path parent;

    @AfterAll
    static void close()
    {
        if (null != good)
        {
            good.close();
            good = null;
        }
    }

    private static BrowserPage good() throws Exception
    {
        final Browser browser = Browser.required();
        if (null == good)
        {
            final Path file = shared.resolve(FileNames.PAGE);
            ReportPage.write(file, List.of(SampleResult.write(shared.resolve("run"), "run", "GOOD")));
            good = browser.open(file.toUri().toString());
        }
        good.media("screen", "light");
        return good;
    }

    @Test
    void shouldContainTheManifestUnchanged() throws IOException
    {
        final Path folder = SampleResult.write(parent.resolve("run"), HOSTILE, "GOOD");
        final Path page = folder.resolve(FileNames.PAGE);
        ReportPage.write(page, List.of(folder));

        final String html = Files.readString(page);
        final Matcher matcher = DATA.matcher(html);
        assertThat(matcher.find()).isTrue();
        assertThat(matcher.group(1)).doesNotContain("<");
        final JsonNode data = new ObjectMapper().readTree(matcher.group(1));
        assertThat(data.at("/runs/0/manifest"))
            .isEqualTo(new ObjectMapper().readTree(folder.resolve("manifest.json").toFile()));
        assertThat(html).contains("<title>GOOD &lt;/script>").doesNotContain("throw new Error('out')</script>");
    }

    @Test
    void shouldNotShowAPercentileOfAnOlderResultWithFewMessagesBeyondIt() throws Exception
    {
        final Path folder = SampleResult.write(parent.resolve("run"), "run", "GOOD");
        final ObjectNode manifest = SampleResult.manifest("run", "GOOD");
        manifest.withObject("/responseTimeNs").put("count", 1_010);
        Files.writeString(folder.resolve("manifest.json"), manifest.toString());
        final Path page = folder.resolve(FileNames.PAGE);
        ReportPage.write(page, List.of(folder));
        final String shown = manifest.at("/responseTimeNs/p99").asText();
        final String hidden = manifest.at("/responseTimeNs/p99.9").asText();
        assertThat(Files.readString(page)).contains(shown).doesNotContain(hidden);
        assertThat(Browser.required().drawn(page)).contains("data-field=\"responseTimeNs.p99\" data-value=\"" + shown)
            .contains("<td class=\"number\" data-field=\"responseTimeNs.p99.9\">–</td>");
    }

    @Test
    void shouldFetchNothing() throws IOException
    {
        // Tags only: the library's code holds texts that look like some.
        final String tags = Files.readString(write("GOOD")).replaceAll("(?s)(<(script|style)[^>]*>).*?</\\2>", "$1");
        assertThat(tags).contains("default-src 'none'").doesNotContainPattern("\\b(src|href)\\s*=|<(link|iframe|object)\\b");
    }

    @Test
    void shouldWriteTheSameBytesForTheSameFolders() throws IOException
    {
        final Path folder = SampleResult.write(parent.resolve("run"), "run", "GOOD");
        ReportPage.write(folder.resolve("first.html"), List.of(folder));
        ReportPage.write(folder.resolve("second.html"), List.of(folder));
        assertThat(folder.resolve("second.html")).hasSameBinaryContentAs(folder.resolve("first.html"));
    }

    @Test
    void shouldLinkFilesRelativeToThePage() throws IOException
    {
        final Path folder = SampleResult.write(parent.resolve("a #1: 100%"), "run", "GOOD");
        final Path page = Files.createDirectory(parent.resolve("pages")).resolve("all.html");
        ReportPage.write(page, List.of(folder));
        assertThat(Files.readString(page)).contains("\"./../a%20%231:%20100%25/response-time.hlog\"");
    }

    @Test
    void shouldStaySmall() throws IOException
    {
        assertThat(Files.size(write("GOOD"))).isLessThan(MAX_RUN_PAGE_BYTES);
        final List<Path> folders = new ArrayList<>();
        final Path folder = SampleResult.write(parent.resolve("one"), "one", "GOOD");
        for (int i = 0; i < 50; i++)
        {
            folders.add(folder);
        }
        final Path sweep = parent.resolve("sweep.html");
        ReportPage.write(sweep, folders);
        assertThat(Files.size(sweep)).isLessThan(MAX_SWEEP_PAGE_BYTES);
    }

    @Test
    void shouldRejectAPageThatCannotBeWritten() throws IOException
    {
        final Path folder = SampleResult.write(parent.resolve("run"), "run", "GOOD");
        final Path page = parent.resolve("nowhere/report.html");
        assertThatThrownBy(() -> ReportPage.write(page, List.of(folder)))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining(page.toString());
    }

    @ParameterizedTest
    @CsvSource({ "GOOD,good", "PARTIAL,partial", "FAILED,failed", "SPLENDID,failed" })
    void shouldShowVerdictAndNumbersOfTheManifest(final String verdict, final String look) throws Exception
    {
        final Browser browser = Browser.required();
        final Path page = write(verdict);
        final String document = "GOOD".equals(verdict) ? browser.drawn(page, "run") : browser.drawn(page);

        assertThat(document).contains("class=\"verdict " + look + "\" data-verdict=\"" + verdict + "\"");
        assertThat(document).contains("a reason with &lt;b&gt;markup&lt;/b&gt;").contains("data-sum=\"1010\"");
        assertThat(document).contains("✓ equals the sum");
        final ObjectNode manifest = SampleResult.manifest("run", verdict);
        final Matcher matcher = CELL.matcher(document);
        int cellCount = 0;
        while (matcher.find())
        {
            final String[] field = matcher.group(1).split("\\.", 2);
            final JsonNode value = 1 == field.length ? manifest.get(field[0]) : manifest.get(field[0]).get(field[1]);
            assertThat(matcher.group(2)).as(matcher.group(1)).isEqualTo(value.asText());
            cellCount++;
        }
        assertThat(cellCount).isEqualTo(4 + 1 + 6 + 4 * 9);
        assertThat(document).contains("<th scope=\"row\">Measured window</th><td>8 s</td>");
        for (final String chart : List.of(
            "percentiles", "response-along", "heat-map", "throughput", "delays", "in-flight", "back-pressure",
            "counted-loss", "counted-cores"))
        {
            assertThat(document).containsPattern("data-chart=\"" + chart + "\".*?(<svg|<canvas)");
        }
        assertThat(document.contains(">SPLENDID</text>") || document.contains(">" + verdict + "</text>"))
            .as("the verdict is written over the charts of a run that is not good").isEqualTo(!"good".equals(look));
    }

    @Test
    void shouldShowWhatQualifiesTheVerdictInOneBlockWithIt() throws Exception
    {
        final BrowserPage page = good();
        assertThat(page.evaluate("document.querySelector('.verdict').innerText").asText())
            .contains("✓ GOOD", "⚠ 1 warning", "response p50", "response p99", "response max", "a warning")
            .contains("long tail: p99 is").contains("does not judge response times");
        assertThat(page.evaluate("document.querySelector('.page-top').innerText").asText())
            .contains("2026-11-21 09:13:36 UTC", "101 messages/s", "Configuration and environment");
        assertThat(page.evaluate(
            "[...document.querySelectorAll('.contents a')].every((link) => document.querySelector(link.hash) !== null)")
            .asBoolean()).as("the contents lead somewhere").isTrue();
    }

    @Test
    void shouldFillTheTimeAxisWithTheMeasuredWindow() throws Exception
    {
        final BrowserPage page = good();
        assertThat(page.evaluate("document.body.innerText").asText())
            .contains("warm-up (1.00 s) and drain (1.00 s) are left out");
        for (final String chart : List.of("response-along", "heat-map", "throughput", "delays", "counted-cores"))
        {
            final JsonNode axis = page.evaluate("(({ min, max, name }) => ({ min, max, name }))(echarts.getInstanceByDom(" +
                "document.querySelector('[data-chart=\"" + chart + "\"] .chart')).getOption().xAxis[0])");
            assertThat(axis.get("min").asDouble()).as(chart).isZero();
            assertThat(axis.get("max").asDouble()).as(chart).isEqualTo(8);
            assertThat(axis.get("name").asText()).as(chart).contains("measured window");
        }
    }

    @Test
    void shouldNameEveryAxisAndHaveALegendThatPrints() throws Exception
    {
        final BrowserPage page = good();
        assertThat(page.evaluate("[...document.querySelectorAll('.chart')].flatMap((node) => {" +
            "const option = echarts.getInstanceByDom(node).getOption();" +
            "return [...option.xAxis, ...option.yAxis].filter((axis) => !axis.name).map(() => node.ariaLabel); })"))
            .as("charts with an axis without a name").isEmpty();
        page.media("print", "light");
        assertThat(page.evaluate("document.querySelector('[data-chart=throughput] .legend').innerText").asText())
            .contains("sent", "answered", "target");
    }

    @Test
    void shouldLetTheKeyboardScrollATableThatIsTooWide() throws Exception
    {
        final Browser browser = Browser.required();
        final Path page = parent.resolve("both.html");
        ReportPage.write(page, List.of(
            SampleResult.write(parent.resolve("first"), "first", "GOOD"),
            SampleResult.write(parent.resolve("second"), "second", "FAILED")));
        try (BrowserPage tab = browser.open(page.toUri().toString()))
        {
            tab.resize(360);
            tab.await("document.querySelector('[data-name^=\"Runs\"]').getAttribute('tabindex') === '0'");
            final String scroll = "document.querySelector('[data-name^=\"Runs\"]')";
            assertThat(tab.evaluate(scroll + ".getAttribute('role') + ' ' + " + scroll + ".ariaLabel").asText())
                .startsWith("region Runs");
            assertThat(tab.evaluate(scroll + ".previousElementSibling.innerText").asText()).contains("scroll it sideways");
            assertThat(tab.evaluate("document.documentElement.scrollWidth").asInt()).isLessThanOrEqualTo(360);
        }
    }

    @Test
    void shouldSayWhereTheNumbersAreWithoutScripts() throws Exception
    {
        final Browser browser = Browser.required();
        try (BrowserPage page = browser.openWithoutScripts(write("GOOD")))
        {
            assertThat(page.evaluate("document.body.innerText").asText())
                .contains("Charts and tables need scripts", "All numbers are in the files that it was made of");
        }
    }

    @Test
    void shouldSayWhyTheTailIsLong() throws Exception
    {
        final String document = good().drawn();
        assertThat(document).contains("Why is the tail long?").contains("p99 is 12.0 times the median.")
            .contains("data-rule=\"loss\" data-share=\"0.75\"").contains("packets were &lt;b&gt;lost&lt;/b&gt;.")
            .contains("In 50.00% of the intervals. 75.00% of the excess time of the slow intervals")
            .contains("give sockets room.");
        assertThat(document).contains("No member stalled.").contains("No thread waited for a core");
    }

    @Test
    void shouldShowAFolderOfAnEarlierVersion() throws Exception
    {
        final Browser browser = Browser.required();
        final Path folder = SampleResult.write(parent.resolve("run"), "run", "GOOD");
        Files.delete(folder.resolve("counters.csv"));
        Files.delete(folder.resolve("machine.csv"));
        final ObjectNode manifest = SampleResult.manifest("run", "GOOD");
        manifest.remove("diagnosis");
        Files.writeString(folder.resolve("manifest.json"), manifest.toString());
        final Path page = folder.resolve(FileNames.PAGE);
        ReportPage.write(page, List.of(folder));
        final String document = browser.drawn(page);
        assertThat(document).contains("data-chart=\"back-pressure\"").doesNotContain("data-chart=\"counted-loss\"")
            .doesNotContain("class=\"why\"");
    }

    @Test
    void shouldShowStagesOnlyIfTheyWereRecorded() throws Exception
    {
        final Browser browser = Browser.required();
        final Path folder = SampleResult.write(parent.resolve("run"), "run", "GOOD");
        final Path page = folder.resolve(FileNames.PAGE);
        ReportPage.write(page, List.of(folder));
        assertThat(browser.drawn(page)).doesNotContain("data-stages").doesNotContain("data-chart=\"stages\"");

        final ObjectNode manifest = SampleResult.manifest("run", "GOOD");
        final ObjectNode stages = manifest.putObject("stages").put("told", 99_000).put("untold", 7).put("disagreeing", 3);
        for (final String stage : List.of("toLeaderNs", "logNs", "quorumNs", "toServiceNs", "toClientNs"))
        {
            stages.putObject(stage).put("p50", 1_000).put("p99", 2_000).put("p99.9", 3_000).put("max", 4_000).put("mean", 0.0)
                .put("count", 99_000);
        }
        // In a third of the messages, nine parts are three of all.
        ((ObjectNode)stages.get("quorumNs")).put("mean", 9 * manifest.at("/sendDelayNs/mean").asDouble()).put("count", 33_000);
        Files.writeString(folder.resolve("manifest.json"), manifest.toString());
        ReportPage.write(page, List.of(folder));

        final String document = browser.drawn(page);
        assertThat(document).contains("data-stages=\"99000\"").contains("data-field=\"stages.quorumNs.p99\" data-value=\"2000\"")
            .containsPattern("data-chart=\"stages\".*?<svg").doesNotContain("bothWaysNs");
        // Of a send delay of one part and a quorum of three.
        assertThat(document).contains("<td class=\"number\">25.00%</td>").contains("<td class=\"number\">75.00%</td>");
    }

    @Test
    void shouldMarkAccountsThatDoNotAddUp() throws Exception
    {
        final Browser browser = Browser.required();
        final Path folder = SampleResult.write(parent.resolve("run"), "run", "FAILED");
        Files.writeString(
            folder.resolve("manifest.json"), SampleResult.manifest("run", "FAILED").put("late", 2).toString());
        final Path page = folder.resolve(FileNames.PAGE);
        ReportPage.write(page, List.of(folder));
        assertThat(browser.drawn(page)).contains("data-sum=\"1011\"").contains("✗ differs from the sum");
    }

    @Test
    void shouldShowARunWithoutIntervals() throws Exception
    {
        final Browser browser = Browser.required();
        final Path folder = SampleResult.write(parent.resolve("run"), "run", "GOOD");
        SampleResult.removeIntervals(folder);
        Files.delete(folder.resolve("service-time.hgrm"));
        Files.delete(folder.resolve("send-delay.hgrm"));
        final Path page = folder.resolve(FileNames.PAGE);
        ReportPage.write(page, List.of(folder));

        assertThat(browser.drawn(page)).contains("data-verdict=\"GOOD\"").contains("data-sum=\"1010\"")
            .containsPattern("data-chart=\"percentiles\".*?(<svg|<canvas)")
            .contains("This folder has no intervals.csv, so there are no charts over time.")
            .doesNotContain("data-chart=\"heat-map\"");
    }

    @Test
    void shouldShowAnyLabelAsText() throws Exception
    {
        final Browser browser = Browser.required();
        final Path first = SampleResult.write(parent.resolve("first"), HOSTILE, "GOOD");
        final Path second = SampleResult.write(parent.resolve("second"), HOSTILE, "FAILED");
        final Path page = parent.resolve("both.html");
        ReportPage.write(page, List.of(first, second));
        final String document = browser.drawn(page);
        assertThat(document).doesNotContain("<img").contains("&lt;img src=x onerror=alert(1)&gt; &amp; @data@ #2");
        assertThat(document).contains("Nothing that was recorded");
    }

    @Test
    void shouldCompareRunsAndShowWhatDiffers() throws Exception
    {
        final Browser browser = Browser.required();
        final Path first = SampleResult.write(parent.resolve("first"), "first", "GOOD");
        final Path second = SampleResult.write(parent.resolve("second"), "second", "FAILED");
        final ObjectNode manifest = SampleResult.manifest("second", "FAILED");
        ((ObjectNode)manifest.get("cluster")).put("echo.fsync", "2");
        Files.writeString(second.resolve("manifest.json"), manifest.toString());
        final Path page = parent.resolve("both.html");
        ReportPage.write(page, List.of(first, second));
        final String document = browser.drawn(page, "comparison");
        assertThat(document).contains("<th scope=\"row\">File sync level</th><td>0</td><td>2</td>");
        assertThat(document).contains("fsync 2 (FAILED)").contains("data-chart=\"percentiles-service\"");
        assertThat(document).doesNotContain("<th scope=\"row\">Machine: CPUs</th>");
    }

    @Test
    void shouldShowItsOwnErrors() throws Exception
    {
        final Browser browser = Browser.required();
        final Path page = write("GOOD");
        Files.writeString(page, Files.readString(page).replace("const OPEN_RUN_COUNT = 3;", "undefinedFunction();"));
        final String document = browser.dump(page);
        assertThat(document).contains("This page is incomplete: ").contains("undefinedFunction is not defined");
    }

    private Path write(final String verdict) throws IOException
    {
        final Path folder = SampleResult.write(parent.resolve("run"), "run", verdict);
        final Path page = folder.resolve(FileNames.PAGE);
        ReportPage.write(page, List.of(folder));
        return page;
    }
}
