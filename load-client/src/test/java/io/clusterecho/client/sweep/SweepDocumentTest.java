package io.clusterecho.client.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.testing.GoldenFile;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The document and the tables of a sweep stay as they were published. */
class SweepDocumentTest
{
    @TempDir
    private Path parent;

    @Test
    void shouldHoldAllThatASweepCanHave() throws IOException
    {
        final SweepRecord sweep = SampleSweep.begin(
            parent, "fsync", "0,1", "mtu", "1408", "size", "32,288", "rate", "2k", "repeats", "2", "echo.base.port", "33000");
        SampleSweep.complete(sweep);
        check(sweep, "sweep.json");
        GoldenFile.check(getClass(), "runs.csv", Files.readString(sweep.folder().path().resolve("runs.csv")));
    }

    @Test
    void shouldHoldRunsThatFailedOrDidNotComeAbout() throws IOException
    {
        final SweepRecord sweep = SampleSweep.begin(parent, "fsync", "0,2", "size", "288", "rate", "1k", "repeats", "2");
        final List<Cell> cells = sweep.plan().cells();
        sweep.add(SampleSweep.run(cells.get(0), 1, false));
        sweep.add(SweepRun.failed(cells.get(1), 1, "the port is \"taken\""));
        check(sweep, "sweep-failed.json");
    }

    @Test
    void shouldNotHoldWhatIsNotKnownYet() throws IOException
    {
        check(SampleSweep.begin(parent, "size", "288", "rate", "1k", "repeats", "1"), "sweep-begun.json");
    }

    @Test
    void shouldNameDimensionsOfRatiosByTheirKeys() throws IOException
    {
        final SweepRecord sweep = SampleSweep.begin(
            parent, "snapshot-every", "none,5s", "size", "288", "rate", "1k", "repeats", "1");
        SampleSweep.complete(sweep);
        assertThat(SweepDocument.of(sweep, sweep.verdict(List.of())).ratios()).extracting("dimension")
            .containsOnly("snapshot-every");
    }

    @Test
    void shouldCompareSearchedCellsByTheirRatesOnly() throws IOException
    {
        final SweepRecord sweep = SampleSweep.begin(parent, "fsync", "0,1", "size", "288", "rate", "max", "repeats", "1");
        SampleSweep.complete(sweep);
        final SweepDocument document = SweepDocument.of(sweep, sweep.verdict(List.of()));
        assertThat(document.cells()).allSatisfy((cell) -> assertThat(cell.highestRatePerSecond().median()).isEqualTo(1_000));
        assertThat(document.ratios()).hasSize(1).allSatisfy((ratio) -> assertThat(ratio.ours()).containsOnlyKeys("rate"));
        assertThat(document.syncCosts()).as("at different rates").isEmpty();
    }

    private void check(final SweepRecord sweep, final String name) throws IOException
    {
        GoldenFile.checkDocument(
            getClass(), name,
            Documents.text(SweepDocument.of(sweep, sweep.verdict(List.of())))
                .replace(sweep.folder().path().toString(), "results/sample"));
    }
}
