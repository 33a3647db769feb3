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
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuitePageTest
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Pattern CELL = Pattern.compile("data-pointer=\"([^\"]+)\" data-value=\"([^\"]+)\"");

    @TempDir
    private Path parent;

    @Test
    void shouldShowRatiosAndPublishedRatios() throws Exception
    {
        final Browser browser = Browser.required();
        final Path folder = parent.resolve("suite");
        final JsonNode suite = write(folder, "cluster-echo-suite/1");
        final Path page = folder.resolve("report.html");
        ReportPage.write(page, List.of(folder));
        final String document = browser.drawn(page);

        assertThat(document).contains("data-verdict=\"FAILED\"").contains("ping-pong, http1: 0 of 3 runs are good")
            .contains("aeron-udp (base)").contains("server out of memory").contains("data-chart=\"suite-ratio\"")
            .contains("compare ratios, never absolute figures").contains("Published: rpc-bench-20160920.");
        final Matcher matcher = CELL.matcher(document);
        int count = 0;
        while (matcher.find())
        {
            assertThat(Double.parseDouble(matcher.group(2))).as(matcher.group(1))
                .isEqualTo(suite.at(matcher.group(1)).asDouble());
            count++;
        }
        // Two systems with a value and a ratio, and two published ratios of the three.
        assertThat(count).isEqualTo(2 * 2 + 2);
        assertThat(document).contains("grpc, not the experiment of the report: call style: one here, other in the report")
            .contains("http1, not stated by the report: message length")
            .contains("grpc, round 2: the client stalled for up to 12 ms");
    }

    @Test
    void shouldRankAndSortSystems() throws Exception
    {
        final Browser browser = Browser.required();
        final Path folder = parent.resolve("suite");
        write(folder, "cluster-echo-suite/1");
        final Path page = folder.resolve("report.html");
        ReportPage.write(page, List.of(folder));
        try (BrowserPage tab = browser.open(page.toUri().toString()))
        {
            final String names = "[...document.querySelectorAll('[data-table=ping-pong] tbody th')].map((one) => one.innerText)" +
                ".join(', ')";
            assertThat(tab.evaluate(names).asText()).isEqualTo("aeron-udp (base), grpc, http1");
            tab.evaluate("(() => { const sort = document.querySelectorAll('[data-table=ping-pong] .sort')[3];" +
                "sort.click(); sort.click(); })()");
            assertThat(tab.evaluate(names).asText()).as("by p50, slowest first").isEqualTo("grpc, aeron-udp (base), http1");
            assertThat(tab.evaluate("document.querySelector('[data-table=ping-pong] [aria-sort]').innerText").asText())
                .startsWith("p50");
            assertThat(tab.evaluate("document.querySelector('[data-table=ranking]').innerText").asText())
                .contains("10.0×").contains("no value");
        }
    }

    @Test
    void shouldShowAnEarlierSuiteAsItWasStored() throws Exception
    {
        final Browser browser = Browser.required();
        final Path page = parent.resolve("earlier.html");
        ReportPage.write(page, List.of(Path.of(SuitePageTest.class.getResource("suite-of-fourteen").toURI())));
        final String document = browser.drawn(page);
        assertThat(document).contains("data-verdict=\"FAILED\"");
        assertThat(document).contains("grpc, published ratio not shown: not checked by the version that stored this result")
            .doesNotContainPattern("data-pointer=\"[^\"]*/published/");
        assertThat(Files.readString(page)).contains("<title>FAILED peers-loads");
    }

    @Test
    void shouldRejectAnUnknownFormat() throws IOException
    {
        final Path folder = parent.resolve("suite");
        write(folder, "cluster-echo-suite/2");
        assertThatThrownBy(() -> ReportPage.write(folder.resolve("report.html"), List.of(folder)))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("cluster-echo-suite/2");
    }

    static JsonNode write(final Path folder, final String format) throws IOException
    {
        final ObjectNode suite = MAPPER.createObjectNode();
        suite.put("format", format).put("label", "peers").put("start", "2026-11-21T09:13:36Z").put("size", "a small size");
        final ObjectNode verdict = suite.putObject("verdict").put("good", false).put("label", "FAILED").put("partial", false);
        verdict.putArray("reasons").add("ping-pong, http1: 0 of 3 runs are good (server out of memory)");
        verdict.putArray("warnings");
        suite.put("commandLine", "java -jar peers.jar suite");
        suite.putObject("versions").put("aeron", "1.51.0");
        suite.putObject("machine").put("cpuCount", "2");
        final ObjectNode group = suite.putArray("groups").addObject();
        group.put("name", "ping-pong").put("workload", "ping-pong").put("base", "aeron-udp");
        group.put("publishedBy", "rpc-bench-20160920");
        group.putArray("metrics").addObject().put("name", "p50").put("unit", "ns");
        system(group, "aeron-udp", 20_000, 1, 1);
        system(group, "grpc", 200_000, 10, 18.5);
        system(group, "http1", 0, 0, 3.25);
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("suite.json"), suite.toPrettyString());
        Files.writeString(folder.resolve("runs.csv"), "workload,setup,system,round,metric,value,unit,outcome\n");
        return suite;
    }

    private static void system(
        final ObjectNode group, final String name, final double timeNs, final double ratio, final double published)
    {
        final boolean isGood = timeNs > 0;
        final ObjectNode system = group.withArray("systems").addObject().put("name", name).put("runs", 3);
        system.put("goodRuns", isGood ? 3 : 0);
        system.putArray("failures");
        system.putObject("values");
        system.putObject("ratios");
        final boolean isSame = !"grpc".equals(name);
        system.putObject("published");
        system.putArray("publishedDiffers");
        system.putArray("publishedNotStated");
        if (isSame)
        {
            system.withObject("/published").put("p50", published);
        }
        else
        {
            system.withArray("publishedDiffers").add("call style: one here, other in the report");
        }
        if ("http1".equals(name))
        {
            system.withArray("publishedNotStated").add("message length");
        }
        if (isGood)
        {
            system.putArray("warnings").add("round 2: the client stalled for up to 12 ms");
            spread(system.withObject("/values/p50"), timeNs);
            spread(system.withObject("/ratios/p50"), ratio);
        }
        else
        {
            system.withArray("failures").add("server out of memory");
        }
    }

    private static void spread(final ObjectNode node, final double median)
    {
        node.put("median", median).put("min", 0.9 * median).put("max", 1.2 * median);
    }
}
