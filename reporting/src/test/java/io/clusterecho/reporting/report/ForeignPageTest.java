package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;

import io.clusterecho.reporting.foreign.SampleForeign;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForeignPageTest
{
    @TempDir
    private Path parent;

    @Test
    void shouldShowAForeignResultAndWhatItLacks() throws Exception
    {
        final Browser browser = Browser.required();
        final Path file = SampleForeign.writeHistory(
            parent.resolve(SampleForeign.NAME + ".hdr"), 100_000, 300_000, 200_000, 100_000);
        final Path page = parent.resolve("page.html");
        ReportPage.write(page, List.of(file));
        final String document = browser.drawn(page);
        assertThat(document).contains("data-verdict=\"FOREIGN\"").contains("foreign, closed accounts unknown")
            .contains("data-field=\"responseTimeNs.count\" data-value=\"4000\"").contains("./" + SampleForeign.NAME + ".hdr");
        for (final String chart : List.of("percentiles", "response-along", "heat-map"))
        {
            assertThat(document).containsPattern("data-chart=\"" + chart + "\".*?(<svg|<canvas)");
        }
        assertThat(document).as("nothing is made up").doesNotContain("data-field=\"answered\"").doesNotContain("of asked");
    }

    @Test
    void shouldCompareItWithOurRuns() throws Exception
    {
        final Browser browser = Browser.required();
        final Path run = SampleResult.write(parent.resolve("run"), "ours", "GOOD");
        SampleForeign.write(parent.resolve("theirs/" + SampleForeign.NAME + ".hdr"), 100_000);
        final Path page = parent.resolve("page.html");
        ReportPage.write(page, List.of(run, parent.resolve("theirs")));
        final String document = browser.drawn(page);
        assertThat(document).contains(">2 runs<").contains("class=\"badge foreign\"").contains("not known")
            .contains("Dotted: foreign, closed accounts unknown").contains("Foreign results have no service time.");
    }
}
