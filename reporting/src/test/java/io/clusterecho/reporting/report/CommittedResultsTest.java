package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
    private static final int COMMIT_LENGTH = 12;
    private static final List<String> MEASURED_CODE = List.of(
        "cluster-node/src/main", "media/src/main", "load-client/src/main", "failover/src/main", "peers/src/main",
        "schemas/src/main");

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

    /**
     * Results grow old: prints how many commits have changed the measured code since each was made, as a hint to make it again.
     */
    @Test
    void shouldNameTheCommitOfEveryCommittedResult() throws Exception
    {
        final Map<String, Set<String>> commits = new TreeMap<>();
        for (final Path folder : folders("manifest.json"))
        {
            final String commit = StoredManifest.read(folder).at("/versions/commit").asText();
            assertThat(commit).as(folder.toString()).matches("[0-9a-f]{12}(-modified)?");
            commits.computeIfAbsent(RESULTS.relativize(folder).getName(0).toString(), (ignore) -> new TreeSet<>())
                .add(commit.substring(0, COMMIT_LENGTH));
        }

        if (Files.exists(Path.of("..", ".git")) && "false".equals(git("rev-parse", "--is-shallow-repository").get(0)))
        {
            for (final Map.Entry<String, Set<String>> result : commits.entrySet())
            {
                int changeCount = 0;
                for (final String commit : result.getValue())
                {
                    final List<String> command = new ArrayList<>(List.of("rev-list", commit + "..HEAD", "--"));
                    command.addAll(MEASURED_CODE);
                    changeCount = Math.max(changeCount, git(command.toArray(String[]::new)).size());
                }
                System.out.println("results/" + result.getKey() + ": made at " + String.join(", ", result.getValue()) +
                    ", since then " + changeCount + " commits changed what it measured");
            }
        }
    }

    private static List<String> git(final String... arguments) throws Exception
    {
        final List<String> command = new ArrayList<>(List.of("git", "-C", ".."));
        command.addAll(List.of(arguments));
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        final List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        assertThat(process.waitFor()).as("%s: %s", command, lines).isZero();
        return lines;
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
