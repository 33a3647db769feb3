package io.clusterecho.reporting.document;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.results.JunitSuite;
import io.clusterecho.reporting.results.JunitSuite.Outcome;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.reporting.results.Verdict;

/** The verdict on a result of any kind as JUnit XML: one case for the result itself and one for each condition of its user. */
public final class ResultJunit
{
    private static final String VERDICT = "verdict";

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
        final StoredVerdict verdict = Documents.bind(result.path(VERDICT), StoredVerdict.class);
        final JunitSuite suite = new JunitSuite(result.path("label").asText(result.path("format").asText()), durationNs);
        final List<String> others = new ArrayList<>(verdict.reasons());
        others.removeIf((reason) -> reason.startsWith(Verdict.THRESHOLD_FAILED));
        if (others.isEmpty())
        {
            final List<String> warnings = null == verdict.warnings() ? List.of() : verdict.warnings();
            suite.add(VERDICT, Outcome.PASSED, null, String.join("\n", warnings));
        }
        else
        {
            suite.add(
                VERDICT, verdict.partial() ? Outcome.BROKEN : Outcome.FAILED, others.get(0), String.join("\n", others));
        }
        for (final Threshold condition : conditions)
        {
            suite.judged(condition.text(), null, verdict.reasons().stream()
                .filter((reason) -> reason.startsWith(Verdict.THRESHOLD_FAILED + condition.text() + ",")).findFirst()
                .orElse(null), "");
        }

        return suite.xml();
    }
}
