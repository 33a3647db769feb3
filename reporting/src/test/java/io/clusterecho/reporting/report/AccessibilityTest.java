package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.clusterecho.reporting.foreign.SampleForeign;
import io.clusterecho.reporting.measurement.SampleInterval;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every kind of page passes all rules of axe-core on a phone, a tablet and a desk, and at one width each in dark colours, which
 * do not depend on it, and in print. It does not scroll sideways on a screen.
 */
class AccessibilityTest
{
    private static final Map<String, List<Integer>> WIDTHS = Map.of(
        "screen light", List.of(360, 768, 1440), "screen dark", List.of(1440), "print light", List.of(768));

    @TempDir
    private Path parent;

    @ParameterizedTest
    @ValueSource(strings = {
        "reference-20261121-161233-demo",
        "reference-20261123-failover/once-kills",
        "reference-20261122-max-rate/1",
        "reference-20261122-fsync-cost",
        "reference-20261122-fsync-cost/baseline" })
    void shouldPassWithACommittedResult(final String folder) throws Exception
    {
        check(List.of(Path.of("..", "results").resolve(folder)));
    }

    @Test
    void shouldPassWithRunsOfEveryVerdict() throws Exception
    {
        final List<Path> folders = new ArrayList<>();
        for (final String verdict : List.of("GOOD", "PARTIAL", "FAILED"))
        {
            folders.add(SampleResult.write(parent.resolve(verdict), verdict, verdict));
        }
        folders.add(SampleForeign.write(parent.resolve("foreign/" + SampleForeign.NAME + ".hdr"), 100_000).getParent());
        check(folders);
    }

    @Test
    void shouldPassWithASuite() throws Exception
    {
        final Path folder = parent.resolve("suite");
        SuitePageTest.write(folder, "cluster-echo-suite/1");
        check(List.of(folder));
    }

    @Test
    void shouldPassWhileARunIsInProgress() throws Exception
    {
        final Browser browser = Browser.required();
        try (LiveServer server = new LiveServer("--live-port", 0))
        {
            final LiveRun run = server.show(
                new LiveRun("live", parent, "java -jar load-client.jar", "fsync 0: in words", List.of()));
            for (int i = 0; i < 5; i++)
            {
                run.onInterval(SampleInterval.of(i));
            }
            check(browser, server.address());
        }
    }

    private void check(final List<Path> folders) throws Exception
    {
        final Browser browser = Browser.required();
        final Path page = parent.resolve("page.html");
        ReportPage.write(page, folders);
        check(browser, page.toUri().toString());
    }

    private static void check(final Browser browser, final String address) throws Exception
    {
        try (BrowserPage page = browser.open(address))
        {
            for (final String media : WIDTHS.keySet())
            {
                final String[] typeAndScheme = media.split(" ");
                page.media(typeAndScheme[0], typeAndScheme[1]);
                for (final int width : WIDTHS.get(media))
                {
                    page.resize(width);
                    assertThat(page.accessibilityViolations()).as(media + ", width " + width).isEmpty();
                    if ("screen".equals(typeAndScheme[0]))
                    {
                        assertThat(page.evaluate("document.documentElement.scrollWidth").asInt())
                            .as("width of the page, " + media).isLessThanOrEqualTo(width);
                    }
                }
            }
            assertThat(page.complaints()).isEmpty();
        }
    }
}
