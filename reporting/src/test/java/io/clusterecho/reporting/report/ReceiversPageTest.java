package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.results.FileNames;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReceiversPageTest
{
    private static final long SCHEDULED = 1_010;

    @TempDir
    private Path parent;

    @Test
    void shouldShowTheAccountsAndTimesOfEachReceiver() throws Exception
    {
        final Browser browser = Browser.required();
        final Path folder = parent.resolve("run");
        final Path page = write(folder, "FAILED", 40);
        try (BrowserPage tab = browser.open(page.toUri().toString()))
        {
            assertThat(tab.drawn()).contains("data-receivers=\"3\"")
                .contains("data-field=\"fanOut.receivers.1.missing\" data-value=\"40\"")
                .contains("received, late, missing and never sent add up to scheduled.", "960 of 1,010 messages reached every")
                .containsPattern("data-chart=\"receivers-times\".*?<svg")
                .containsPattern("data-chart=\"receivers-shortfall\".*?<svg")
                .contains("copy at each receiver", "last copy of a message");
            Browser.screenshots(tab, "receivers");
            assertThat(tab.evaluate("echarts.getInstanceByDom(document.querySelector(" +
                "'[data-chart=\"receivers-shortfall\"] .chart')).getOption().series.map((one) => one.data)").toString())
                .isEqualTo("[[1,1,1],[0,40,0],[7,7,7]]");
            assertThat(tab.complaints()).isEmpty();
        }
    }

    @Test
    void shouldDrawNoShortfallWhereAllArrived() throws Exception
    {
        final Browser browser = Browser.required();
        final Path folder = parent.resolve("run");
        final Path page = write(folder, "GOOD", 0);
        final ObjectNode manifest = SampleResult.manifest("run", "GOOD");
        putFanOut(manifest, 0, 0, 0);
        Files.writeString(folder.resolve("manifest.json"), manifest.toString());
        ReportPage.write(page, List.of(folder));
        assertThat(browser.drawn(page)).contains("data-receivers=\"3\"").containsPattern("data-chart=\"receivers-times\".*?<svg")
            .doesNotContain("receivers-shortfall\"");

        Files.writeString(folder.resolve("manifest.json"), SampleResult.manifest("run", "GOOD").toString());
        ReportPage.write(page, List.of(folder));
        assertThat(browser.drawn(page)).doesNotContain("data-receivers");
    }

    @Test
    void shouldMarkAReceiverWhoseAccountsDoNotAddUp() throws Exception
    {
        final Browser browser = Browser.required();
        final Path folder = parent.resolve("run");
        final Path page = write(folder, "FAILED", 5);
        final ObjectNode manifest = SampleResult.manifest("run", "FAILED");
        putFanOut(manifest, 5, 7, 1);
        ((ObjectNode)manifest.at("/fanOut/receivers/2")).put("late", 2);
        Files.writeString(folder.resolve("manifest.json"), manifest.toString());
        ReportPage.write(page, List.of(folder));
        assertThat(browser.drawn(page)).contains("The counts of a receiver do not add up");
    }

    /** A result with three receivers, the second of which misses copies, and its page. */
    static Path write(final Path folder, final String verdict, final long missing) throws IOException
    {
        SampleResult.write(folder, "run", verdict);
        final ObjectNode manifest = SampleResult.manifest("run", verdict);
        putFanOut(manifest, missing, 7, 1);
        Files.writeString(folder.resolve("manifest.json"), manifest.toString());
        final Path page = folder.resolve(FileNames.PAGE);
        ReportPage.write(page, List.of(folder));
        return page;
    }

    private static void putFanOut(final ObjectNode manifest, final long missing, final long neverSent, final long late)
    {
        final ObjectNode fanOut = manifest.putObject("fanOut").put("completed", SCHEDULED - missing - neverSent - 3 * late);
        final ArrayNode receivers = fanOut.put("foreign", 0).putArray("receivers");
        for (int i = 0; i < 3; i++)
        {
            final long own = 1 == i ? missing : 0;
            receivers.addObject().put("scheduled", SCHEDULED).put("received", SCHEDULED - own - neverSent - late)
                .put("late", late).put("missing", own).put("neverSent", neverSent).put("duplicates", 0).put("corrupt", 0)
                .put("reconnects", 1 == i ? 1 : 0);
        }
        long timeNs = 1_000_000;
        for (final String field : List.of("responseTimeNs", "lastResponseTimeNs"))
        {
            final ObjectNode times = fanOut.putObject(field);
            for (final String name : List.of("min", "mean", "p50", "p90", "p99", "p99.9", "p99.99", "max"))
            {
                times.put(name, timeNs);
                timeNs += 500_000;
            }
            times.put("count", 3 * SCHEDULED);
        }
    }
}
