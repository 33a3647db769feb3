package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.document.RunDocument;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results of released formats stay readable: those in {@code results/} are the fixtures, and are never edited. */
class CommittedResultsTest
{
    private static final Path RESULTS = Path.of("..", "results");
    private static final int MAX_PAGE_BYTES = 1_500_000;
    private static final int MAX_FAILOVER_PAGE_BYTES = 3_000_000;
    private static final long MAX_RESULTS_BYTES = 16_000_000;

    @TempDir
    private Path parent;

    @Test
    void shouldReadEveryCommittedManifest() throws IOException
    {
        final List<Path> folders = folders("manifest.json");
        assertThat(folders).hasSizeGreaterThanOrEqualTo(2);
        for (final Path folder : folders)
        {
            final JsonNode manifest = RunDocument.read(folder);
            assertThat(manifest.at("/verdict/label").asText()).as(folder.toString())
                .isIn("GOOD", "CLIENT-LIMITED", "PARTIAL", "FAILED");
            assertThat(manifest.at("/versions/commit").asText()).as(folder.toString()).matches(ResultOrigin.COMMIT);
        }
    }

    /** If this fails: remove what {@code results/README.md} says is not kept. */
    @Test
    void shouldKeepTheCommittedResultsSmall() throws IOException
    {
        long bytes = 0;
        for (final Path file : files((file) -> true))
        {
            bytes += Files.size(file);
        }
        assertThat(bytes).as("bytes of all committed results").isBetween(1L, MAX_RESULTS_BYTES);
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
        return files((file) -> file.endsWith(fileName)).stream().map(Path::getParent).toList();
    }

    private static List<Path> files(final Predicate<Path> predicate) throws IOException
    {
        final List<Path> found = new ArrayList<>();
        for (final Path folder : ResultOrigin.committed(RESULTS))
        {
            try (Stream<Path> files = Files.walk(folder))
            {
                files.filter(Files::isRegularFile).filter(predicate).sorted().forEach(found::add);
            }
        }
        return found;
    }
}
