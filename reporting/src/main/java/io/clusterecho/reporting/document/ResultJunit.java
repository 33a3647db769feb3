package io.clusterecho.reporting.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.clusterecho.reporting.results.JunitSuite;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.reporting.results.Verdict;

import com.fasterxml.jackson.databind.JsonNode;

/** The verdict on a result of any kind as JUnit XML: one case for the result itself and one for each condition of its user. */
public final class ResultJunit
{
    private ResultJunit()
    {
    }

    /**
     * Make the XML.
     *
     * @param document   of a result, with {@code verdict} and, except for failover tests, {@code label}.
     * @param durationNs of the command that made it, in ns.
     */
    public static String xml(final String document, final List<Threshold> conditions, final long durationNs)
    {
        final JsonNode result = Documents.parse(document);
        final StoredVerdict verdict = Documents.bind(result.path("verdict"), StoredVerdict.class);
        final JunitSuite suite = new JunitSuite(result.path("label").asText(result.path("format").asText()), durationNs);
        final List<String> others = new ArrayList<>(verdict.reasons());
        others.removeIf((reason) -> reason.startsWith(Verdict.THRESHOLD_FAILED));
        final String detail = String.join("\n", others);
        final String name = "verdict";
        if (others.isEmpty())
        {
            suite.passed(name, String.join("\n", Optional.ofNullable(verdict.warnings()).orElse(List.of())));
        }
        else if (verdict.partial())
        {
            suite.broken(name, others.get(0), detail);
        }
        else
        {
            suite.failed(name, others.get(0), detail);
        }
        for (final Threshold condition : conditions)
        {
            verdict.reasons().stream()
                .filter((reason) -> reason.startsWith(Verdict.THRESHOLD_FAILED + condition.text() + ",")).findFirst()
                .ifPresentOrElse(
                (reason) -> suite.failed(condition.text(), reason, ""),
                () -> suite.passed(condition.text(), ""));
        }

        return suite.xml();
    }
}
