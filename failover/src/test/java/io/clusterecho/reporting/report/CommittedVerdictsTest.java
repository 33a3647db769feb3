package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.clusterecho.failover.lab.SampleFailover;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.RunDocument;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All documents of a committed failover test have the same verdict. */
class CommittedVerdictsTest
{
    private static final Path RESULTS = Path.of("..", "results");
    private static final String COMMITTED = "reference-";
    private static final Pattern TITLE = Pattern.compile("<title>(\\w+)");
    private static final Pattern FIRST_WORD = Pattern.compile("(\\w+)");

    @TempDir
    private Path parent;

    @Test
    void shouldCarryOneVerdictInAllDocumentsOfATest() throws IOException
    {
        final List<Path> folders = failoverTests();
        assertThat(folders).hasSizeGreaterThanOrEqualTo(20);
        for (final Path folder : folders)
        {
            assertThat(Set.copyOf(verdicts(folder).values())).as("%s: %s", folder, verdicts(folder)).hasSize(1)
                .isSubsetOf("GOOD", "PARTIAL", "FAILED");
        }
    }

    @Test
    void shouldFindTheDocumentThatDisagrees() throws IOException
    {
        final Path folder = SampleResult.write(parent.resolve("result"), "sample", "GOOD");
        SampleFailover.write(folder, 1, "");
        Files.writeString(folder.resolve("summary.txt"), "PARTIAL  sample\n");
        Files.writeString(folder.resolve("report.html"), "<html><head><title>FAILED sample</title></head></html>");
        assertThat(verdicts(folder)).isEqualTo(Map.of(
            "failover.json", "GOOD", "failover.txt", "GOOD", "manifest.json", "GOOD", "summary.txt", "PARTIAL",
            "report.html", "FAILED"));
    }

    /** @return the verdict in each document, by the name of the document. */
    private static Map<String, String> verdicts(final Path folder) throws IOException
    {
        final Map<String, String> verdicts = new LinkedHashMap<>();
        verdicts.put(
            "failover.json",
            Documents.parse(Files.readString(folder.resolve("failover.json"))).at("/verdict/label").asText());
        verdicts.put("manifest.json", RunDocument.read(folder).at("/verdict/label").asText());
        putWord(verdicts, folder, "failover.txt", FIRST_WORD);
        putWord(verdicts, folder, "summary.txt", FIRST_WORD);
        putWord(verdicts, folder, "report.html", TITLE);
        return verdicts;
    }

    private static void putWord(
        final Map<String, String> verdicts, final Path folder, final String name, final Pattern pattern) throws IOException
    {
        final Path file = folder.resolve(name);
        if (Files.exists(file))
        {
            final Matcher matcher = pattern.matcher(Files.readString(file));
            verdicts.put(name, matcher.find() ? matcher.group(1) : "none");
        }
    }

    private static List<Path> failoverTests() throws IOException
    {
        try (Stream<Path> files = Files.find(RESULTS, 4, (file, attributes) -> file.endsWith("failover.json")))
        {
            return files.map(Path::getParent).filter((folder) -> Files.exists(folder.resolve("manifest.json")))
                .filter((folder) -> RESULTS.relativize(folder).toString().startsWith(COMMITTED)).sorted().toList();
        }
    }
}
