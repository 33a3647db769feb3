package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.client.maxrate.SampleSearch;
import io.clusterecho.client.sweep.SampleSweep;
import io.clusterecho.client.sweep.SweepRecord;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepPageTest
{
    private static final double KNEE = 50_000;
    private static final int MAX_PAGE_BYTES = 4_000_000;
    private static final Path EARLIER = Path.of("src", "test", "resources", "io", "clusterecho", "reporting", "report");
    private static final Pattern CELL = Pattern.compile("data-pointer=\"([^\"]+)\" data-value=\"([^\"]+)\"");

    @TempDir
    private Path parent;

    @Test
    void shouldShowTheKneeAndEveryRunOfASearch() throws Exception
    {
        final Browser browser = Browser.required();
        final Path folder = search("search");
        final String document = browser.drawn(page("search.html", folder));
        final JsonNode search = new ObjectMapper().readTree(folder.resolve(DocumentKind.MAX_RATE.fileName()).toFile());

        assertThat(document).contains("data-verdict=\"GOOD\"").contains("sample &lt;b&gt;");
        // Eight numbers of each run, and the never-sent ones.
        assertThat(numbersOf(document, search)).isEqualTo(search.get("steps").size() * 9);
        for (final String chart : List.of("knee", "rate-shares"))
        {
            assertThat(document).containsPattern("data-chart=\"" + chart + "\".*?<svg");
        }
        // The legend of the curve, and the head of the table.
        assertThat(document).containsPattern("data-chart=\"knee\"(?s:.)*?>p99.99<(?s:.)*data-chart=\"rate-shares\"")
            .containsPattern("data-chart=\"rate-shares\"(?s:.)*>p99.99<");
        assertThat(document).contains("steps/3\"").contains("the client, not the cluster, was the limit");
        assertThat(document).contains(search.at("/answer/sentence").asText() + ".", "threshold failed: p99&lt;10ms");
        assertThat(document).contains(search.at("/answer/brokenSentence").asText());
    }

    @Test
    void shouldShowASearchOfAnEarlierVersionByItsCounts() throws Exception
    {
        final String document = Browser.required().drawn(page("earlier.html", EARLIER.resolve("earlier-search")));
        assertThat(document).contains("72,900 messages/s, confirmed: 2 of 3 runs at that rate met the condition.")
            .doesNotContain("undefined");
    }

    @Test
    void shouldShowEveryCellOfASweep() throws Exception
    {
        final Browser browser = Browser.required();
        final SweepRecord sweep = SampleSweep.complete(SampleSweep.begin(
            parent, "fsync", "0,1,2", "size", "32,288", "mtu", "1408,8k", "repeats", "3"));
        final Path folder = sweep.folder().path();
        final String document = browser.drawn(page("sweep.html", folder), "sweep");
        final JsonNode stored = new ObjectMapper().readTree(folder.resolve(DocumentKind.SWEEP.fileName()).toFile());

        assertThat(document).contains("data-verdict=\"GOOD\"");
        // Six numbers of each of 12 cells; 8 ratios by level, 6 by MTU, 6 by size, none of which has a published one; what
        // levels cost.
        assertThat(numbersOf(document, stored)).isEqualTo(12 * 6 + (8 + 6 + 6) * 3 + 8 * 3);
        for (final String chart : List.of("multiple-p50", "multiple-p99", "multiple-p99.9", "drift"))
        {
            assertThat(document).containsPattern("data-chart=\"" + chart + "\".*?<svg");
        }
        // One for each MTU.
        assertThat(Pattern.compile("data-chart=\"multiple-p50\"").matcher(document).results().count()).isEqualTo(2);
        assertThat(document).contains("Durability: fsync 2: in words.")
            .contains(">File sync level</th>", ">Message size</th>", ">MTU</th>", ">8 KiB</td>", ">288 bytes</td>")
            .contains(">target/s</th>").doesNotContain(">achieved/s</th>")
            .contains("Response time by message size, file sync level, MTU")
            .doesNotContain(">fsync</th>", ">mtu</th>", "mtu 8192", "fsync 0 ");
        assertThat(document).contains(stored.at("/syncCosts/0/p50Text").asText(), stored.at("/syncCosts/0/cpuText").asText())
            .contains("the range of all pairs of repeats");
    }

    @Test
    void shouldDrawNumbersAtTheirPlacesAndSayEachRemarkOnce() throws Exception
    {
        final Path file = page("quick.html", Path.of("..", "results", "reference-20261127-quick"));
        try (BrowserPage page = Browser.required().open(file.toUri().toString()))
        {
            final String option = "echarts.getInstanceByDom(document.querySelector('[data-chart=\"%s\"] .chart')).getOption()";
            assertThat(page.evaluate(String.format(option, "multiple-p50") + ".xAxis[0].type").asText()).isEqualTo("log");
            assertThat(page.evaluate(String.format(option, "multiple-p50") + ".series[0].data.map((one) => one.value[0])")
                .toString()).isEqualTo("[32,288,1344]");
            assertThat(page.evaluate("document.querySelectorAll('[data-chart=drift] .legend li').length").asInt())
                .as("a name for each level").isEqualTo(3);
            assertThat(page.evaluate("[...document.querySelectorAll('[data-table=ratios] th')].map((one) => one.textContent)")
                .toString()).as("columns without a value").doesNotContain("published");
            assertThat(page.evaluate("document.querySelectorAll('.remarks li').length").asInt()).isEqualTo(3);
            assertThat(page.evaluate("document.body.innerText.split('open loop at 100000/s in the report').length").asInt())
                .as("one mention").isEqualTo(2);
        }
    }

    @Test
    void shouldShowTheHighestRatesThatWereSearched() throws Exception
    {
        final Browser browser = Browser.required();
        final SweepRecord sweep = SampleSweep.complete(SampleSweep.begin(
            parent, "fsync", "0,1", "size", "32,288", "rate", "max", "slo", "p99<5ms", "repeats", "2"));
        final Path folder = sweep.folder().path();
        final String document = browser.drawn(page("highest.html", folder), "highest-rates");
        final JsonNode stored = new ObjectMapper().readTree(folder.resolve(DocumentKind.SWEEP.fileName()).toFile());

        // Six numbers of each of four cells, and the ratio of the rates of two pairs by each of two settings.
        assertThat(numbersOf(document, stored)).isEqualTo(4 * 6 + 4);
        assertThat(document).containsPattern("data-chart=\"multiple-highest-rate\".*?<svg")
            .contains("Highest rate by message size, file sync level", ">highest or target/s</th>", "meets p99&lt;5ms")
            .doesNotContain("data-chart=\"multiple-p50\"", "Cost of file syncs", "undefined");
    }

    @Test
    void shouldShowThatASweepOfAnEarlierVersionHasNoRangeOfItsCosts() throws Exception
    {
        final String document = Browser.required().drawn(page("earlier.html", EARLIER.resolve("earlier-sweep")));
        assertThat(document).contains("+779 us, no range stored", "−274.2, no range stored").doesNotContain("undefined");
    }

    @Test
    void shouldShowWhyACellFailed() throws Exception
    {
        final Browser browser = Browser.required();
        final SweepRecord sweep = SampleSweep.begin(parent, "fsync", "0,1", "repeats", "1");
        sweep.add(SampleSweep.run(sweep.plan().cells().get(0), 1, false));
        final String document = browser.drawn(page("failed.html", sweep.folder().path()));
        assertThat(document).contains("data-verdict=\"FAILED\"").contains("✗ FAILED").contains("◐ OPEN")
            .contains("rate missed &lt;i&gt;").contains("partial: 1 of 2 runs are done");
    }

    @Test
    void shouldShowSearchesSweepsAndRunsOnOnePage() throws Exception
    {
        final Browser browser = Browser.required();
        final SweepRecord sweep = SampleSweep.complete(SampleSweep.begin(parent, "fsync", "0,1", "repeats", "1"));
        final Path page = parent.resolve("all.html");
        ReportPage.write(page, List.of(
            search("search"), sweep.folder().path(), SampleResult.write(parent.resolve("run"), "run", "GOOD")));
        final String document = browser.drawn(page);
        assertThat(Files.readString(page)).contains("<title>3 results, 3 good");
        assertThat(document).contains("<h1>3 results</h1>").contains("id=\"sweep0\"").contains("id=\"search0\"")
            .contains("id=\"run0\"");
    }

    @Test
    void shouldStaySmallWithFiftyCells() throws IOException
    {
        final SweepRecord sweep = SampleSweep.complete(SampleSweep.begin(
            parent, "fsync", "0,1,2", "size", "32,64,128,288,1344,4k", "rate", "1k,2k,4k", "repeats", "2"));
        assertThat(sweep.summaries()).hasSize(54);
        assertThat(Files.size(page("fifty.html", sweep.folder().path()))).isLessThan(MAX_PAGE_BYTES);
    }

    @Test
    void shouldRejectAFormatItDoesNotKnow() throws IOException
    {
        final Path folder = search("other");
        final Path file = folder.resolve(DocumentKind.MAX_RATE.fileName());
        Files.writeString(file, Files.readString(file).replace("cluster-echo-max-rate/2", "cluster-echo-max-rate/99"));
        assertThatThrownBy(() -> page("other.html", folder)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContainingAll("max-rate.json", "cluster-echo-max-rate/99", "reads 'cluster-echo-max-rate/2'");
    }

    private static int numbersOf(final String document, final JsonNode stored)
    {
        final Matcher matcher = CELL.matcher(document);
        int count = 0;
        while (matcher.find())
        {
            assertThat(Double.parseDouble(matcher.group(2))).as(matcher.group(1))
                .isEqualTo(stored.at(matcher.group(1)).asDouble());
            count++;
        }
        return count;
    }

    private Path search(final String name) throws IOException
    {
        return new SampleSearch(0.9, 0, 5_000_000).write(parent.resolve(name), KNEE);
    }

    private Path page(final String name, final Path folder)
    {
        final Path page = parent.resolve(name);
        ReportPage.write(page, List.of(folder));
        return page;
    }
}
