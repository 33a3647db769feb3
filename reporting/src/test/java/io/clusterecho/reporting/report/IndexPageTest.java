package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page about folders of results: which results are one row, its values, and what the filters leave. */
class IndexPageTest
{
    private static final String ROWS = "[...document.querySelectorAll('tbody tr')].filter((row) => !row.hidden)" +
        ".map((row) => row.cells[0].innerText.replace(/\\n/g, ' / ') + ': ' + " +
        "[...row.querySelectorAll('td.number')].map((cell) => cell.dataset.value || '-').join(' ')).join('; ')";

    @TempDir
    private Path parent;

    @BeforeEach
    void writeResults() throws IOException
    {
        write("small/a", "GOOD", "2", "0", 300_000);
        write("small/b", "GOOD", "2", "0", 100_000);
        write("small/c", "GOOD", "2", "0", 200_000);
        write("small/failed", "FAILED", "2", "0", 50_000);
        write("small/synced", "GOOD", "2", "2", 900_000);
        write("large", "GOOD", "64", "0", 20_000);
        write("bad", "FAILED", "4", "0", 30_000);
    }

    private void write(final String name, final String verdict, final String cpuCount, final String fsync, final long p50Ns)
        throws IOException
    {
        final ObjectNode manifest = SampleResult.manifest(name, verdict);
        manifest.withObject("/machine").put("cpuCount", cpuCount).put("cpuModel", "model of " + cpuCount)
            .put("product", "could not be read");
        manifest.withObject("/cluster").put("echo.fsync", fsync).put("echo.hosts", "a,b,c").put("echo.profile", "compact");
        final ObjectNode times = manifest.withObject("/responseTimeNs");
        times.put("p50", p50Ns).put("p99", 10 * p50Ns);
        times.remove("p99.9");
        final Path folder = Files.createDirectories(parent.resolve("results").resolve(name));
        Files.writeString(folder.resolve("manifest.json"), manifest.toString());
    }

    @Test
    void shouldPutRepeatsIntoOneRowAndFilterRows() throws Exception
    {
        try (BrowserPage tab = open(parent.resolve("results")))
        {
            assertThat(tab.evaluate(ROWS).asText().split("; ")).containsExactlyInAnyOrder(
                "small: 200000 2000000 - 100.25", "small: 900000 9000000 - 100.25",
                "large: 20000 200000 - 100.25", "bad: - - - -");
            assertThat(tab.evaluate("document.querySelector('main').innerText").asText())
                .contains("4 of 4 rows shown.").contains("3 of 4 good").contains("0 of 1 good").contains("100 – 300 us");
            assertThat(tab.evaluate("[...document.querySelectorAll('tbody a')].map((one) => one.getAttribute('href')).join(' ')")
                .asText().split(" ")).contains("./results/small", "./results/large");
            select(tab, "Cores", "64");
            assertThat(tab.evaluate(ROWS).asText()).isEqualTo("large: 20000 200000 - 100.25");
            select(tab, "Cores", "");
            select(tab, "File sync level", "2");
            assertThat(tab.evaluate(ROWS).asText()).isEqualTo("small: 900000 9000000 - 100.25");
            select(tab, "Machine", "model of 64");
            assertThat(tab.evaluate("document.querySelector('[role=status]').innerText").asText())
                .isEqualTo("0 of 4 rows shown.");
            assertThat(tab.complaints()).isEmpty();
        }
    }

    private static void select(final BrowserPage tab, final String label, final String value)
    {
        tab.evaluate("(() => { const select = [...document.querySelectorAll('.filters label')].find((one) => " +
            "one.firstChild.textContent === '" + label + "').querySelector('select'); select.value = '" + value +
            "'; select.dispatchEvent(new Event('change')); })()");
    }

    @Test
    void shouldNotTakeRunsOfOtherJvmsForRepeats() throws Exception
    {
        final Path file = parent.resolve("results/small/c/manifest.json");
        final ObjectNode manifest = (ObjectNode)Documents.parse(Files.readString(file));
        manifest.withObject("/jvm").put("arguments", "-Xmx1g");
        Files.writeString(file, manifest.toString());
        try (BrowserPage tab = open(parent.resolve("results")))
        {
            assertThat(tab.evaluate(ROWS).asText().split("; ")).anyMatch((row) -> row.endsWith(": 100000 1000000 - 100.25"))
                .anyMatch((row) -> row.endsWith(": 200000 2000000 - 100.25")).hasSize(5);
        }
    }

    /** As after a run that was killed. */
    @Test
    void shouldListWhatItCannotReadWhereThereIsNoOther() throws Exception
    {
        final Path killed = Files.createDirectories(parent.resolve("none/killed"));
        Files.writeString(killed.resolve("intervals.csv"), "");
        try (BrowserPage tab = open(killed.getParent()))
        {
            assertThat(tab.evaluate("document.querySelector('main').innerText").asText())
                .contains("0 of 0 rows shown.").contains("killed is of a run whose process was killed");
            assertThat(tab.complaints()).isEmpty();
        }
    }

    /** Its folders are those of hosts or clients. */
    @Test
    void shouldRefuseTheFolderOfARunThatWasKilled() throws IOException
    {
        final Path killed = Files.createDirectories(parent.resolve("killed"));
        Files.createDirectories(killed.resolve("clients/1"));
        Files.writeString(killed.resolve("intervals.csv"), "");
        assertThatThrownBy(() -> ReportPage.write(parent.resolve("index.html"), List.of(killed)))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("is not the folder of a completed run");
    }

    private BrowserPage open(final Path results) throws Exception
    {
        final Path page = parent.resolve("index.html");
        ReportPage.write(page, List.of(results));
        return Browser.required().open(page.toUri().toString());
    }

    @Test
    void shouldShowHighestRatesAndOutagesOfCommittedResults() throws Exception
    {
        final Path page = parent.resolve("index.html");
        final Path results = Path.of("..", "results");
        ReportPage.write(page, List.of(
            results.resolve("reference-20261122-failover"), results.resolve("reference-20261121-faults")));
        try (BrowserPage tab = Browser.required().open(page.toUri().toString()))
        {
            assertThat(tab.evaluate("[...document.querySelectorAll('h2')].map((one) => one.innerText).join()").asText())
                .contains("Highest rates", "Failover tests");
            assertThat(tab.evaluate(ROWS).asText()).contains("reference-20261122-failover / not confirmed: 133000")
                .containsPattern("reference-20261122-failover / fastest[^;]*: 419401178");
        }
    }

    @Test
    void shouldRefuseFoldersWithoutAResult() throws IOException
    {
        final Path empty = parent.resolve("empty");
        Files.createDirectories(empty.resolve("nothing"));
        assertThatThrownBy(() -> ReportPage.write(parent.resolve("index.html"), List.of(empty)))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining(empty + " adds no result");
    }
}
