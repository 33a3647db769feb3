package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.attribution.Cause;
import io.clusterecho.attribution.Cause.State;
import io.clusterecho.attribution.Part;
import io.clusterecho.attribution.SlowMessage;
import io.clusterecho.attribution.SlowTail;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.FileNames;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlowestPageTest
{
    private static final String COLOUR = "echarts.getInstanceByDom(document.querySelector(" +
        "'[data-chart=\"%s\"] .chart')).getOption().series.find((one) => one.name === 'quorum').color";
    private static final String SERIES = "echarts.getInstanceByDom(document.querySelector(" +
        "'[data-chart=\"%s\"] .chart')).getOption().series.map((one) => [one.name, one.data])";

    @TempDir
    private Path parent;

    @Test
    void shouldShowTheSlowestMessagesWithTheirParts() throws Exception
    {
        final Browser browser = Browser.required();
        final Path folder = SampleResult.write(parent.resolve("run"), "run", "GOOD");
        final Path page = folder.resolve(FileNames.PAGE);
        ReportPage.write(page, List.of(folder));
        assertThat(browser.drawn(page)).doesNotContain("data-slowest");

        final List<SlowMessage> kept = IntStream.range(0, 20).mapToObj((i) -> new SlowMessage(
            1_000 + i, 1_000_000L * i, 4_000_000 - 1_000 * i, i > 0, i > 0 ?
            Map.of(Part.SEND_DELAY, 1_000L, Part.LOG, 999_000L, Part.QUORUM, 3_000_000L - 1_000 * i) :
            Map.of(Part.BACK_PRESSURE, 4_000_000L), i > 0 ? List.of(
            new Cause(Part.SEND_DELAY, null, State.UNKNOWN, null, false, 1_000), new Cause(
            Part.LOG, "member-1 duty-cycle", State.WAITING, "kworker/0:1", true, 3_999_000 - 1_000 * i)) :
            List.of(new Cause(
            Part.BACK_PRESSURE, "client load-agent", State.BLOCKED, null, true, 4_000_000)))).toList();
        final ObjectNode manifest = SampleResult.manifest("run", "GOOD");
        final ObjectNode stages = manifest.putObject("stages").put("told", 99_000).put("untold", 0).put("disagreeing", 0);
        for (final String stage : List.of("toLeaderNs", "logNs", "quorumNs", "toServiceNs", "toClientNs"))
        {
            stages.putObject(stage).put("p50", 1_000).put("p99", 2_000).put("p99.9", 3_000).put("max", 4_000)
                .put("mean", 1_000.0).put("count", 99_000);
        }
        manifest.set("slowest", Documents.tree(SlowTail.of(kept, 1_200)));
        Files.writeString(folder.resolve("manifest.json"), manifest.toString());
        Files.writeString(folder.resolve(FileNames.SLOWEST), SlowMessage.json(kept));
        ReportPage.write(page, List.of(folder));

        try (BrowserPage tab = browser.open(page.toUri().toString()))
        {
            assertThat(tab.drawn()).contains("data-slowest=\"12\"", "1,000 (no reply)", "href=\"./slowest-messages.json\"")
                .contains("data-field=\"slowest.partsNs.quorumNs\" data-value=\"32934000\"")
                .containsPattern("data-chart=\"slowest\".*?<svg").containsPattern("data-chart=\"slowest-parts\".*?<svg");
            assertThat(tab.drawn()).containsPattern(
                "log</th><td>member-1 duty-cycle</td><td>waited for a core</td><td>kworker/0:1</td><td>yes</td>" +
                "<td class=\"number\" title=\"43923000\">91.63%</td>")
                .containsPattern("back pressure</th><td>client load-agent</td><td>was blocked in the kernel</td>")
                .containsPattern("send delay</th><td class=\"number muted\">–</td><td>unknown</td>");
            assertThat(tab.evaluate(String.format(SERIES, "slowest")).toString())
                .startsWith("[[\"send delay\",[0,1000,1000,1000,1000,1000,1000,1000,1000,1000]],")
                .contains("[\"back pressure\",[4000000,0,0,0,0,0,0,0,0,0]]", "[\"quorum\",[0,2999000,2998000,");
            assertThat(tab.evaluate(String.format(SERIES, "slowest-parts")).toString())
                .contains("[\"send delay\",[", "[\"back pressure\",[", "[\"log\",[", "[\"quorum\",[");
            assertThat(tab.evaluate(String.format(COLOUR, "slowest"))).isEqualTo(tab.evaluate(String.format(COLOUR, "stages")))
                .isEqualTo(tab.evaluate(String.format(COLOUR, "slowest-parts")));
            Browser.screenshots(tab, "slowest");
            assertThat(tab.complaints()).isEmpty();
        }
    }
}
