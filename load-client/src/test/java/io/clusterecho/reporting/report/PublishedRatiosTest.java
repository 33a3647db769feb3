package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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

import io.clusterecho.client.maxrate.SampleSearch;
import io.clusterecho.reporting.results.DocumentKind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublishedRatiosTest
{
    private static final double RESOLUTION = 1e-9;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir
    private Path parent;

    @Test
    void shouldCompareRatiosWithPublishedOnes() throws Exception
    {
        final List<Path> folders = List.of(
            run("small", "32", 100_000, "GOOD"), run("middle", "288", 150_000, "GOOD"), run("large", "1344", 130_000, "GOOD"));
        final JsonNode ratios = ratios(folders);
        assertThat(ratios).hasSize(6);
        assertThat(ratios.get(0).get("of").asText()).isEqualTo("size 288 : 32");
        assertRatio(ratios.get(0), "p50", 1.5, 109 / 107.0);
        assertRatio(ratios.get(1), "p99", 1.5, 235 / 132.0);
        assertRatio(ratios.get(5), "p99.9", 1.3, 1928 / 150.0);
        assertThat(ratios.get(5).get("against").asText()).isEqualTo("small");
    }

    @Test
    void shouldKnowPlacementAndDriver() throws Exception
    {
        final List<Path> folders = List.of(
            run("near", "288", 100_000, "GOOD"), run("far", "288", 900_000, "GOOD", "echo.placement", "partition"),
            run("native", "288", 90_000, "GOOD", "echo.driver", "c"));
        final JsonNode ratios = ratios(folders);
        assertThat(ratios).hasSize(6);
        assertThat(ratios.get(0).get("of").asText()).isEqualTo("partition-placement : cluster-placement");
        assertRatio(ratios.get(0), "p50", 9, 2070 / 109.0);
        assertThat(ratios.get(3).get("of").asText()).isEqualTo("driver c : java");
        assertRatio(ratios.get(3), "p50", 0.9, 108 / 109.0);
    }

    @Test
    void shouldSayWhatDiffers() throws Exception
    {
        final JsonNode ratios = ratios(List.of(
            run("one", "32", 100_000, "GOOD"), run("failed", "288", 100_000, "FAILED"),
            run("flushed", "32", 100_000, "GOOD", "echo.fsync", "2"), run("odd", "100", 100_000, "GOOD")));
        assertThat(ratios).hasSize(3);
        assertThat(ratios.get(0).get("of").asText()).isEqualTo("file sync level 2 : 0");
        assertThat(ratios.get(0).has("published")).isFalse();
        assertThat(ratios.get(0).at("/publishedDiffers/0").asText())
            .contains("file sync level 2, MTU 1408, cluster-placement here").contains("file sync level 0");
    }

    @Test
    void shouldNotCompareResultsThatDifferInTwoSettings() throws Exception
    {
        assertThat(ratios(List.of(
            run("one", "32", 100_000, "GOOD"), run("flushed", "288", 100_000, "GOOD", "echo.fsync", "2"),
            run("mtu", "1344", 100_000, "GOOD", "echo.mtu", "8k")))).isEmpty();
    }

    @Test
    void shouldCompareHighestRates() throws Exception
    {
        final JsonNode ratios = ratios(List.of(search("small", "32", 50_000), search("large", "288", 20_000)));
        assertThat(ratios).hasSize(1);
        assertThat(ratios.get(0).get("kind").asText()).isEqualTo("search");
        assertThat(ratios.get(0).get("published").asDouble()).isCloseTo(250_000 / 500_000.0, within(RESOLUTION));
        assertThat(ratios.get(0).get("ours").asDouble()).isBetween(0.35, 0.45);
    }

    @Test
    void shouldNotCompareRatesThatTheClientLimited() throws Exception
    {
        final Path limited = search("large", "288", 20_000);
        final Path file = limited.resolve(DocumentKind.MAX_RATE.fileName());
        final ObjectNode document = (ObjectNode)MAPPER.readTree(file.toFile());
        ((ObjectNode)document.get("limit")).put("by", "client");
        Files.writeString(file, document.toString());
        assertThat(ratios(List.of(search("small", "32", 50_000), limited))).isEmpty();
    }

    @Test
    void shouldShowThemInATable() throws Exception
    {
        final Browser browser = Browser.required();
        final Path page = page(List.of(run("small", "32", 100_000, "GOOD"), run("middle", "288", 150_000, "GOOD")));
        final String document = browser.drawn(page);
        assertThat(document).contains("Published figures").contains("<th scope=\"row\">size 288 : 32</th>")
            .contains("middle : small").containsPattern("data-pointer=\"/publishedRatios/0/ours\" data-value=\"1.5\"")
            .contains(">1.02</td>").contains("Measured on other machines");
    }

    private static void assertRatio(final JsonNode ratio, final String metric, final double ours, final double published)
    {
        assertThat(ratio.get("metric").asText()).isEqualTo(metric);
        assertThat(ratio.get("ours").asDouble()).isCloseTo(ours, within(RESOLUTION));
        assertThat(ratio.get("published").asDouble()).isCloseTo(published, within(RESOLUTION));
    }

    private JsonNode ratios(final List<Path> folders) throws IOException
    {
        final Matcher data = Pattern.compile("id=\"data\">(.*?)</script>").matcher(Files.readString(page(folders)));
        assertThat(data.find()).isTrue();
        return MAPPER.readTree(data.group(1)).get("publishedRatios");
    }

    private Path page(final List<Path> folders)
    {
        final Path page = parent.resolve("page.html");
        ReportPage.write(page, new ArrayList<>(folders));
        return page;
    }

    private Path run(
        final String label, final String size, final long timeNs, final String verdict, final String... setting)
        throws IOException
    {
        final Path folder = SampleResult.write(parent.resolve(label), label, verdict);
        final ObjectNode manifest = SampleResult.manifest(label, verdict);
        putSetup(manifest, size);
        manifest.put("ratePerSecondAsked", 100_000);
        if (setting.length > 0)
        {
            ((ObjectNode)manifest.get("cluster")).put(setting[0], setting[1]);
        }
        ((ObjectNode)manifest.get("responseTimeNs")).put("p50", timeNs).put("p99", 2 * timeNs).put("p99.9", 3 * timeNs);
        Files.writeString(folder.resolve("manifest.json"), manifest.toString());
        return folder;
    }

    private Path search(final String label, final String size, final double knee) throws IOException
    {
        final Path folder = new SampleSearch(0.1, 0, 1_000_000).write(parent.resolve(label), knee);
        final Path file = folder.resolve(DocumentKind.MAX_RATE.fileName());
        final ObjectNode document = (ObjectNode)MAPPER.readTree(file.toFile());
        putSetup(document, size);
        Files.writeString(file, document.put("label", label).put("slo", "p99<1ms").toString());
        return folder;
    }

    private static void putSetup(final ObjectNode document, final String size)
    {
        ((ObjectNode)document.get("configuration")).put("transport", "cluster").put("size", size);
        ((ObjectNode)document.get("cluster")).put("echo.fsync", "0").put("echo.mtu", "1408")
            .put("echo.hosts", "127.0.0.1,127.0.0.1,127.0.0.1");
    }
}
