package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.results.FileNames;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KindsPageTest
{
    @TempDir
    private Path parent;

    @Test
    void shouldShowKindsOfMessagesIfThereAreSeveral() throws Exception
    {
        final Browser browser = Browser.required();
        final Path folder = SampleResult.write(parent.resolve("run"), "run", "GOOD");
        final Path page = folder.resolve(FileNames.PAGE);
        ReportPage.write(page, List.of(folder));
        assertThat(browser.drawn(page)).doesNotContain("data-kinds");

        // 1,010 messages: 1,000 answered, 1 late, 2 unanswered, 7 never sent.
        final ObjectNode manifest = SampleResult.manifest("run", "GOOD");
        final ArrayNode kinds = manifest.putArray("kinds");
        add(kinds, "orders", 288, 288, 410, 400, 1, 2, 7);
        add(kinds, "files", 65_536, 1_048_576, 600, 600, 0, 0, 0);
        Files.writeString(folder.resolve("manifest.json"), manifest.toString());
        ReportPage.write(page, List.of(folder));
        assertThat(browser.drawn(page)).contains("data-kinds=\"2\"", "Each count, added up over the kinds, equals")
            .contains("data-field=\"kinds.0.neverSent\" data-value=\"7\"", "65,536–1,048,576")
            .contains("data-field=\"kinds.1.responseTimeNs.p99.9\" data-value=\"3000\"");

        ((ObjectNode)kinds.get(1)).put("late", 1);
        Files.writeString(folder.resolve("manifest.json"), manifest.toString());
        ReportPage.write(page, List.of(folder));
        assertThat(browser.drawn(page)).contains("The counts do not add up");
    }

    private static void add(
        final ArrayNode kinds,
        final String name,
        final int minLength,
        final int maxLength,
        final int scheduled,
        final int answered,
        final int late,
        final int unanswered,
        final int neverSent)
    {
        kinds.addObject().put("name", name).put("minLengthBytes", minLength).put("maxLengthBytes", maxLength)
            .put("ratePerSecondAsked", 10.5).put("ratePerSecondAchieved", 10.25).put("scheduled", scheduled)
            .put("answered", answered).put("late", late).put("unanswered", unanswered).put("neverSent", neverSent)
            .putObject("responseTimeNs").put("p50", 1_000).put("p99", 2_000).put("p99.9", 3_000).put("max", 4_000);
    }
}
