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
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.failover.lab.SampleFailover;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.FailoverDocument;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailoverPageTest
{
    private static final int MAX_PAGE_BYTES = 3 << 20;
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Pattern CELL = Pattern.compile("data-pointer=\"([^\"]+)\" data-value=\"([^\"]+)\"");

    @TempDir
    private Path parent;

    @Test
    void shouldReadTimelinesAsTheyWereWritten() throws IOException
    {
        final JsonNode failover = ChartedRun.read(folder("one", 2, ""), 100, 10).get("failover");
        assertThat(failover.get("verdict").asText()).isEqualTo("GOOD");
        assertThat(failover.get("timelines").fieldNames()).toIterable().containsExactly("1", "2");
        final JsonNode timeline = failover.at("/timelines/2");
        assertThat(timeline.get("atMs")).hasSize(450);
        assertThat(timeline.at("/duePerS/100").asDouble()).isEqualTo(1_000);
        assertThat(timeline.at("/answeredPerS/100").asDouble()).isEqualTo(100);
        assertThat(timeline.at("/unansweredPerS/100").asDouble()).isZero();
        assertThat(timeline.at("/p50Us/100").asDouble()).isEqualTo(445_000);
        assertThat(timeline.at("/p99Us/100").asDouble()).isEqualTo(450_000);
        assertThat(timeline.at("/maxUs/100").asDouble()).isEqualTo(450_000);
    }

    @Test
    void shouldShowRatesAndTimesOfEachSliceOnThePage() throws IOException
    {
        final Path folder = folder("one", 1, "");
        final JsonNode failover = MAPPER.readTree(
            ReportData.read(List.of(folder), folder.toAbsolutePath()).json()).at("/runs/0/failover");
        final JsonNode timeline = failover.at("/timelines/1");
        assertThat(timeline.get("atMs").get(100).asDouble()).isEqualTo(5);
        assertThat(timeline.get("duePerS").get(100).asLong()).isEqualTo(1_000);
        assertThat(timeline.get("answeredPerS").get(145).asLong()).isEqualTo(45_800);
        assertThat(timeline.get("unansweredPerS").get(101).asLong()).isEqualTo(100);
        assertThat(timeline.get("maxUs").get(100).asLong()).isEqualTo(450_000);
        assertThat(failover.at("/bands/1/0/name").asText()).isEqualTo("undetected");
        assertThat(failover.get("result")).isEqualTo(MAPPER.readTree(folder.resolve("failover.json").toFile()));
    }

    @Test
    void shouldStaySmall() throws IOException
    {
        final Path folder = folder("twenty", 20, "");
        assertThat(Files.size(page("twenty.html", folder))).isLessThan(MAX_PAGE_BYTES);
    }

    @Test
    void shouldChooseTheMostInterestingOfManyCycles()
    {
        final ObjectNode result = MAPPER.createObjectNode();
        final ArrayNode cycles = result.putArray("cycles");
        for (int number = 1; number <= 100; number++)
        {
            cycles.addObject().put("cycle", number).put("problem", 70 == number ? "broke" : "")
                .put("outageNs", 50 == number ? 900 : 60 == number ? 1 : 100 + number);
        }
        final FailoverDocument document = Documents.bind(result, FailoverDocument.class);
        assertThat(FailoverRun.chosen(document, 6)).containsExactly(1, 2, 49, 50, 60, 70);
        assertThat(FailoverRun.chosen(document, 1_000)).hasSize(100);
    }

    @Test
    void shouldRejectAFormatItDoesNotKnow() throws IOException
    {
        final Path folder = folder("one", 1, "");
        final Path file = folder.resolve("failover.json");
        Files.writeString(file, Files.readString(file).replace("cluster-echo-failover/1", "cluster-echo-failover/99"));
        assertThatThrownBy(() -> ChartedRun.read(folder, 100, 10)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContainingAll("failover.json", "cluster-echo-failover/99", "reads 'cluster-echo-failover/1'");
    }

    @Test
    void shouldNameTheLineThatIsDamaged() throws IOException
    {
        final Path folder = folder("one", 1, "");
        final Path file = folder.resolve("timeline.csv");
        final String text = Files.readString(file);
        Files.writeString(file, text.replaceFirst("-1000\\.000", "soon"));
        assertThatThrownBy(() -> ChartedRun.read(folder, 100, 10)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContainingAll("timeline.csv", "line 2", "soon");
        Files.writeString(file, text.replaceFirst("due", "owed"));
        assertThatThrownBy(() -> ChartedRun.read(folder, 100, 10)).hasMessageContaining("no column due");
    }

    @Test
    void shouldShowTheVerdictOfTheTestAndNotOfItsLoad() throws IOException
    {
        assertThat(Files.readString(page("good.html", folder("good", 1, "")))).contains("<title>GOOD good");
        assertThat(Files.readString(page("bad.html", folder("bad", 1, "broke")))).contains("<title>FAILED bad");
    }

    @Test
    void shouldShowTheNumbersOfTheTest() throws Exception
    {
        final Browser browser = Browser.required();
        final Path folder = folder("one", 3, "");
        final String document = browser.drawn(page("one.html", folder), "failover");
        final JsonNode result = MAPPER.readTree(folder.resolve("failover.json").toFile());

        assertThat(document).contains("class=\"verdict good\" data-verdict=\"GOOD\"").contains("✓ audit clean");
        final Matcher matcher = CELL.matcher(document);
        int cellCount = 0;
        while (matcher.find())
        {
            assertThat(matcher.group(2)).as(matcher.group(1)).isEqualTo(result.at(matcher.group(1)).asText());
            cellCount++;
        }
        // Outage and ten moments, the bound, four stages without p99.9, which takes more messages, what is in none, accounts,
        // three cycles.
        assertThat(cellCount).isEqualTo(11 * 6 + 1 + 4 * 6 + 2 + 15 + 3 * 6);
        for (final String chart : List.of("outages", "timeline"))
        {
            assertThat(document).containsPattern("data-chart=\"" + chart + "\".*?(<svg|<canvas)");
        }
        for (final String band : List.of("undetected", "canvass", "election", "session", "backlog", "away", "catching-up"))
        {
            assertThat(document).containsPattern("data-chart=\"timeline\".*data-band=\"" + band + "\"");
        }
        assertThat(document).contains("data-cycle=\"3\"").contains("kill of member 0, outage 450 ms");
        assertThat(document).contains("<li>a warning</li>");
    }

    @Test
    void shouldShowWhatWentWrong() throws Exception
    {
        final Browser browser = Browser.required();
        final String document = browser.drawn(page("bad.html", folder("bad", 2, "it <i>broke</i>")));
        assertThat(document).contains("class=\"verdict failed\" data-verdict=\"FAILED\"")
            .contains("cycle 2: it &lt;i&gt;broke&lt;/i&gt;")
            .contains("✗ audit not clean").contains("&lt;b&gt;wrong&lt;/b&gt;");
        assertThat(document).contains(">FAILED</text>");
    }

    @Test
    void shouldShowAFolderWithoutATimeline() throws Exception
    {
        final Browser browser = Browser.required();
        final Path folder = folder("old", 1, "");
        Files.delete(folder.resolve("timeline.csv"));
        final ObjectNode result = (ObjectNode)MAPPER.readTree(folder.resolve("failover.json").toFile());
        result.remove("responseTimeNs");
        ((ObjectNode)result.get("phases")).remove("electionStartNs");
        result.get("cycles").forEach((cycle) ->
            ((ObjectNode)cycle).remove(List.of("electionStartNs", "responseTimeNs", "quorumLost")));
        Files.writeString(folder.resolve("failover.json"), result.toString());
        final String document = browser.drawn(page("old.html", folder));
        assertThat(document).contains("data-verdict=\"GOOD\"").contains("This folder has no timeline.csv")
            .contains("data-chart=\"outages\"");
    }

    @Test
    void shouldCompareOutagesOfSeveralTests() throws Exception
    {
        final Browser browser = Browser.required();
        final Path page = parent.resolve("both.html");
        ReportPage.write(page, List.of(
            folder("default", 2, ""), folder("fast", 3, ""), SampleResult.write(parent.resolve("plain"), "plain", "GOOD")));
        final String document = browser.drawn(page);
        assertThat(document).contains("Outages by test").containsPattern("data-chart=\"outages-of-all\".*?<svg");
        assertThat(Pattern.compile("data-chart=\"timeline\"").matcher(document).results().count()).isEqualTo(2);
    }

    @Test
    void shouldSayThatThereWasNoAudit() throws Exception
    {
        final Browser browser = Browser.required();
        final Path folder = folder("unaudited", 2, "");
        final ObjectNode result = (ObjectNode)MAPPER.readTree(folder.resolve("failover.json").toFile());
        result.putNull("acknowledgedLost").putNull("appliedTwice").putNull("acknowledged");
        ((ObjectNode)result.get("audit")).putNull("clean");
        Files.writeString(folder.resolve("failover.json"), result.toString());
        final Path page = parent.resolve("unaudited.html");
        ReportPage.write(page, List.of(folder, folder("audited", 2, "")));
        final String document = browser.drawn(page);
        assertThat(document).contains("✗ no audit").contains("Outages by test").contains("not known")
            .doesNotContain("✗ audit not clean");
    }

    private Path folder(final String label, final int cycleCount, final String problem) throws IOException
    {
        final Path folder = SampleResult.write(parent.resolve(label), label, "FAILED");
        SampleFailover.write(folder, cycleCount, problem);
        return folder;
    }

    private Path page(final String name, final Path folder) throws IOException
    {
        final Path page = parent.resolve(name);
        ReportPage.write(page, List.of(folder));
        return page;
    }
}
