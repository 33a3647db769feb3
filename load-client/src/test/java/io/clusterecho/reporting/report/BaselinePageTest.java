package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.calibration.SampleBaseline;
import io.clusterecho.host.DiskPlace;
import io.clusterecho.reporting.results.CalibrationNote;
import io.clusterecho.reporting.results.DocumentKind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BaselinePageTest
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Pattern CELL = Pattern.compile("data-pointer=\"([^\"]+)\" data-value=\"([^\"]+)\"");

    @TempDir
    private Path parent;

    @Test
    void shouldShowTheTimesAndFloorsOfABaseline() throws Exception
    {
        final Browser browser = Browser.required();
        final Path folder = baseline();
        final Path page = parent.resolve("page.html");
        ReportPage.write(page, List.of(folder));
        final String document = browser.drawn(page);
        final JsonNode stored = MAPPER.readTree(folder.resolve(DocumentKind.BASELINE.fileName()).toFile());

        final Matcher matcher = CELL.matcher(document);
        int count = 0;
        while (matcher.find())
        {
            assertThat(matcher.group(2)).as(matcher.group(1)).isEqualTo(stored.at(matcher.group(1)).asText());
            count++;
        }
        // Six percentiles of two times of two idle strategies, and two syncs.
        assertThat(count).isEqualTo(6 * 6);
        assertThat(document).contains("data-verdict=\"GOOD\"").contains("sample &lt;b&gt;");
        // Spinning and sleeping, at fsync 0, 1 and 2.
        for (final int floorNs : new int[]{ 14_000, 214_000, 314_000, 260_000, 460_000, 560_000 })
        {
            assertThat(document).contains("data-value=\"" + floorNs + "\"");
        }
    }

    @Test
    void shouldShowHowFarARunIsFromTheFloor() throws Exception
    {
        final Browser browser = Browser.required();
        final Path known = SampleResult.write(parent.resolve("known"), "known", "GOOD");
        change(known, Map.of(
            "floorNs", 260_000, "floorRatio", 2.31, "spinningFloorNs", 14_000, "spinningFloorRatio", 42.9,
            "baseline", "results/one"));
        final Path missing = SampleResult.write(parent.resolve("missing"), "missing", "GOOD");
        change(missing, Map.of("floorMissing", "not known: no <i>baseline</i>"));

        final Path page = parent.resolve("runs.html");
        ReportPage.write(page, List.of(known, missing, baseline()));
        final String document = browser.drawn(page);
        assertThat(document).contains("data-floor-ratio=\"2.31\" data-floor-ns=\"260000\"").contains("42.9 times that")
            .contains("not known: no &lt;i&gt;baseline&lt;/i&gt;").contains("<h1>3 results</h1>").contains("id=\"baseline0\"");
        assertThat(Pattern.compile("data-floor-ratio").matcher(document).results().count()).isEqualTo(1);
    }

    @Test
    void shouldNameTheCalibrationOfTheClientOrSayWhyThereIsNone() throws Exception
    {
        final Browser browser = Browser.required();
        final Path known = SampleResult.write(parent.resolve("known"), "known", "GOOD");
        change(known, Map.of("calibration", new CalibrationNote(
            "results/one", "2026-11-20T00:00:00Z", 3_600L, "here", Map.of("p50", 1_500L, "p99", -20_000L), null)));
        final Path missing = SampleResult.write(parent.resolve("missing"), "missing", "GOOD");
        change(missing, Map.of("calibration", CalibrationNote.missing("none in <i>results</i>")));
        final Path older = SampleResult.write(parent.resolve("older"), "older", "GOOD");

        final Path page = parent.resolve("runs.html");
        ReportPage.write(page, List.of(known, missing, older));
        final String document = browser.drawn(page);
        assertThat(document).contains(" on here; largest errors of response times: ", "p50 1.50 ", "p99 20.0 ", "; results/one")
            .contains("none in &lt;i&gt;results&lt;/i&gt;");
        assertThat(Pattern.compile(">Calibration of the client: <").matcher(document).results().count()).isEqualTo(2);
    }

    private static void change(final Path folder, final Map<String, Object> fields) throws IOException
    {
        final Path file = folder.resolve("manifest.json");
        final ObjectNode manifest = (ObjectNode)MAPPER.readTree(file.toFile());
        fields.forEach(manifest::putPOJO);
        Files.writeString(file, manifest.toString());
    }

    private Path baseline() throws IOException
    {
        return new SampleBaseline("2026-11-20T00:00:00Z", 288, Map.of("cpuCount", "2"), new DiskPlace("/data", "disk", "ext4"))
            .write(parent.resolve("baseline"));
    }
}
