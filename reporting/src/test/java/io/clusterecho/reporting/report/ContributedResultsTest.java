package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of {@code results/README.md} for results of others; each run of our own obeys those about its numbers. */
class ContributedResultsTest
{
    private static final Path RESULTS = Path.of("..", "results");
    private static final Path DEMO = RESULTS.resolve("reference-20261126-demo");

    @TempDir
    private Path parent;

    @Test
    void shouldFindNothingWrongInCommittedResults() throws IOException
    {
        for (final Path folder : ResultOrigin.committed(RESULTS))
        {
            final boolean isContributed = folder.getFileName().toString().startsWith(ResultOrigin.CONTRIBUTED);
            try (Stream<Path> files = Files.walk(folder))
            {
                for (final Path run : files.filter((file) -> file.endsWith("manifest.json")).map(Path::getParent).toList())
                {
                    assertThat(StoredEvidence.problems(run, isContributed).stream()
                        .filter((one) -> isContributed || !one.startsWith("not stated: "))).as(run.toString()).isEmpty();
                }
            }
            assertThat(isContributed ? StoredEvidence.problemsOfFolder(folder, true) : List.of()).as(folder.toString()).isEmpty();
        }
    }

    @Test
    void shouldAcceptAContribution() throws IOException
    {
        assertThat(StoredEvidence.problemsOfFolder(contribution(), true)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "manifest.json | `\"p50\" : 50751,` | `\"p50\" : 40751,` | p50 is 40.751 us",
        "manifest.json | `\"p99\" : 1722367` | `\"p99\" : 922367` | p99 is 922.367 us",
        "manifest.json | `\"max\" : 6672383` | `\"max\" : 5672383` | max is 5672.383 us",
        "manifest.json | `\"answered\" : 20000` | `\"answered\" : 19999` | and 19999 have an outcome",
        "manifest.json | `\"label\" : \"GOOD\"` | `\"label\" : \"FAILED\"` | the verdict FAILED contradicts",
        "manifest.json | `\"cpuModel\"` | `\"model\"` | not stated: /machine/cpuModel",
        "manifest.json | `\"commit\" : \"` | `\"commit\" : \"x` | made with changed sources",
        "response-time.hgrm | Total count    =        20000 | Total count    =        19000 | .hgrm has 19000 values",
        "response-time.hlog | `\n16.` | `\n#16.` | response-time.hlog has",
        "README.md | `\n    scripts` | `\nscripts` | README.md has no command",
        "README.md | Machine: | A | README.md has no paragraph that begins with Machine:" })
    void shouldFindWhatWasChanged(final String file, final String found, final String replacement, final String problem)
        throws IOException
    {
        final Path folder = contribution();
        final Path changed = folder.resolve(file);
        final String text = Files.readString(changed);
        assertThat(text).contains(found.replace("\\n", "\n"));
        Files.writeString(changed, text.replaceFirst(
            Pattern.quote(found.replace("\\n", "\n")),
            Matcher.quoteReplacement(replacement.replace("\\n", "\n"))));
        assertThat(StoredEvidence.problemsOfFolder(folder, true)).anyMatch((one) -> one.contains(problem));
    }

    private Path contribution() throws IOException
    {
        final Path folder = Files.createDirectory(parent.resolve("contributed-20261126-demo"));
        for (final String name : List.of("README.md", "manifest.json", "response-time.hgrm", "response-time.hlog"))
        {
            Files.copy(DEMO.resolve(name), folder.resolve(name));
        }
        Files.writeString(folder.resolve("README.md"), Files.readString(DEMO.resolve("README.md")) + "\nMachine: rented.\n");
        return folder;
    }
}
