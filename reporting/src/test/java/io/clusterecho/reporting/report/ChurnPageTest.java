package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.results.FileNames;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChurnPageTest
{
    @TempDir
    private Path folder;

    @Test
    void shouldShowNoTimeToConnectWhereNoSessionWasOpened() throws Exception
    {
        assertThat(drawn(0, 0)).contains("until it was open: p50 –, p99 –, max –. Of 9 due, 0 connected, 9 were refused")
            .containsPattern("data-chart=\"churn-sessions\".*?<svg");
    }

    @Test
    void shouldShowTheTimeToConnect() throws Exception
    {
        assertThat(drawn(8, 2_000_000)).contains("p50 –, p99 –, max 2.00 ms. Of 9 due, 8 connected, 1 were refused")
            .containsPattern("data-chart=\"churn-connect\".*?<svg");
    }

    private String drawn(final int connected, final long connectNs) throws Exception
    {
        final Browser browser = Browser.required();
        SampleResult.write(folder, "run", "GOOD");
        final ObjectNode manifest = SampleResult.manifest("run", "GOOD");
        final ObjectNode churn = manifest.putObject("churn").put("mostOpen", connected).put("cores", 0.125);
        churn.putArray("windows").addObject().put("beginNs", 2_000_000_000L).put("endNs", 4_000_000_000L);
        churn.putObject("sessions").put("due", 9).put("connected", connected).put("inProgress", 0).put("notBegun", 0);
        churn.putObject("connectTimeNs").put("count", connected).put("p50", connectNs).put("p99", connectNs)
            .put("max", connectNs);
        final ObjectNode point = churn.putArray("intervals").addObject().put("beginNs", 2_000_000_000L).put("open", connected)
            .put("connected", connected).put("failed", 9 - connected);
        if (connected > 0)
        {
            point.put("connectP50Ns", connectNs).put("connectMaxNs", connectNs);
        }
        Files.writeString(folder.resolve("manifest.json"), manifest.toString());
        final Path page = folder.resolve(FileNames.PAGE);
        ReportPage.write(page, List.of(folder));
        return browser.drawn(page);
    }
}
