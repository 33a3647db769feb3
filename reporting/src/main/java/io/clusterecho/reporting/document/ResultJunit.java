package io.clusterecho.reporting.document;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.results.JunitSuite;
import io.clusterecho.reporting.results.Reason;
import io.clusterecho.reporting.results.Threshold;

/** The verdict on a result of any kind as JUnit XML: one case for the result itself and one for each condition of its user. */
public final class ResultJunit
{
    private static final String VERDICT = "verdict";

    /**
     * @param document   of a result, with {@code verdict} and, except for failover tests, {@code label}.
     * @param durationNs of the command that made it, in ns.
     */
    public static String xml(final String document, final List<Threshold> conditions, final long durationNs)
    {
        final JsonNode result = Documents.parse(document);
        final StoredVerdict verdict = Documents.bind(result.path(VERDICT), StoredVerdict.class);
        final JunitSuite suite = new JunitSuite(result.path("label").asText(result.path("format").asText()), durationNs);
        final Map<Threshold, String> failed = new HashMap<>();
        for (final Threshold condition : conditions)
        {
            final int index = null == verdict.kinds() ? -1 : verdict.kinds().indexOf(Reason.key(condition.text()));
            failed.put(condition, index < 0 ? null : verdict.reasons().get(index));
        }
        final List<String> others = new ArrayList<>(verdict.reasons());
        others.removeAll(failed.values());
        if (others.isEmpty() || verdict.partial())
        {
            final List<String> warnings = null == verdict.warnings() ? List.of() : verdict.warnings();
            suite.judgeable(VERDICT, others, String.join("\n", warnings));
        }
        else
        {
            suite.judged(VERDICT, null, others.get(0), String.join("\n", others));
        }
        conditions.forEach((condition) -> suite.judged(condition.text(), null, failed.get(condition), ""));
        return suite.xml();
    }
}
