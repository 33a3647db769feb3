package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.clusterecho.reporting.document.StoredManifest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Results of released formats stay readable: those in {@code results/} are the fixtures, and are never edited.
 */
class CommittedResultsTest
{
    private static final Path RESULTS = Path.of("..", "results");
    private static final int MAX_PAGE_BYTES = 1_500_000;
    private static final int MAX_FAILOVER_PAGE_BYTES = 3_000_000;
    private static final String COMMITTED = "reference-";

    @TempDir
    private Path parent;

    @Test
    void shouldReadEveryCommittedManifest() throws IOException
    {
        final List<Path> folders = folders("manifest.json");
        assertThat(folders).hasSizeGreaterThanOrEqualTo(2);
        for (final Path folder : folders)
        {
            assertThat(StoredManifest.read(folder).at("/verdict/label").asText()).as(folder.toString())
                .isIn("GOOD", "CLIENT-LIMITED", "PARTIAL", "FAILED");
        }
    }

    @Test
    void shouldMakeAPageOfEveryCommittedResult() throws IOException
    {
        final List<Path> folders = folders("manifest.json");
        for (final Path folder : folders)
        {
            final Path page = parent.resolve(folder.getFileName() + ".html");
            ReportPage.write(page, List.of(folder));
            assertThat(Files.size(page)).as(folder + " in bytes").isLessThan(
                Files.exists(folder.resolve("failover.json")) ? MAX_FAILOVER_PAGE_BYTES : MAX_PAGE_BYTES);
        }
    }

    private static List<Path> folders(final String fileName) throws IOException
    {
        try (Stream<Path> files = Files.find(RESULTS, 4, (file, attributes) -> file.endsWith(fileName)))
        {
            return files.map(Path::getParent).filter((folder) -> RESULTS.relativize(folder).toString().startsWith(COMMITTED))
                .sorted().toList();
        }
    }
}
