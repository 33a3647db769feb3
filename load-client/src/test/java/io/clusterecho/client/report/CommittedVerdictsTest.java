package io.clusterecho.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Test;

/**
 * One run, one verdict: so it is in every committed result, but for those that are marked as superseded.
 */
class CommittedVerdictsTest
{
    private static final Path RESULTS = Path.of("..", "results");
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Test
    void shouldHoldOneVerdictInAllDocumentsOfAResult() throws IOException
    {
        int count = 0;
        for (final Path folder : folders())
        {
            final Map<String, String> verdicts = verdicts(folder);
            count += verdicts.size() > 1 ? 1 : 0;
            final boolean isOne = verdicts.values().stream().distinct().count() == 1;
            assertThat(isOne).as("%s has %s; a folder with more than one has a SUPERSEDED.md", folder, verdicts)
                .isNotEqualTo(Files.exists(folder.resolve("SUPERSEDED.md")));
        }

        assertThat(count).as("folders with several documents").isGreaterThan(50);
    }

    private static List<Path> folders() throws IOException
    {
        try (Stream<Path> files = Files.walk(RESULTS))
        {
            return files.filter((file) -> file.endsWith("manifest.json")).map(Path::getParent).sorted().toList();
        }
    }

    private static Map<String, String> verdicts(final Path folder) throws IOException
    {
        final Map<String, String> verdicts = new TreeMap<>();
        for (final String name : List.of("manifest.json", "failover.json"))
        {
            if (Files.exists(folder.resolve(name)))
            {
                verdicts.put(name, MAPPER.readTree(folder.resolve(name).toFile()).at("/verdict/good").asBoolean() ?
                    "good" : "not good");
            }
        }
        for (final String name : List.of("summary.txt", "failover.txt"))
        {
            if (Files.exists(folder.resolve(name)))
            {
                verdicts.put(name, Files.readString(folder.resolve(name)).startsWith("GOOD ") ? "good" : "not good");
            }
        }

        return verdicts;
    }
}
