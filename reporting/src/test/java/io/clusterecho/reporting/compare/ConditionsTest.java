package io.clusterecho.reporting.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.clusterecho.reporting.compare.Conditions.Difference;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.DocumentKind;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConditionsTest
{
    private static final String SET = "configuration.messages-set";
    private static final String DIGEST = "configuration.messages-digest";

    /** With another seed or other settings, messages have another digest; settings are a condition of their own. */
    @ParameterizedTest
    @CsvSource({
        "2, first=5, b2, ''", "1, first=5, b2, " + DIGEST, "1, first=6, b2, " + SET, "2, first=6, b2, " + SET,
        "1, first=5, a1, ''", "1, first=5, '', ''" })
    void shouldCompareTheMessagesOfRunsWithTheSameSeedAndSettings(
        final String seed, final String settings, final String digest, final String forbidding)
    {
        final RunSet runs = new RunSet("A", List.of(run("1", "first=5", "a1"), run(seed, settings, digest)));

        assertThat(Conditions.differences(runs, runs)).filteredOn(Conditions::isForbidding).extracting(Difference::path)
            .containsExactlyElementsOf(Stream.of(forbidding).filter((path) -> !path.isEmpty()).toList());
    }

    private static ComparedRun run(final String seed, final String settings, final String digest)
    {
        final Map<String, String> configuration = digest.isEmpty() ?
            Map.of("seed", seed, "messages-set", settings) :
            Map.of("seed", seed, "messages-set", settings, "messages-digest", digest);
        return new ComparedRun(
            Path.of("run"), DocumentKind.RUN, Documents.tree(Map.of("configuration", configuration)));
    }
}
