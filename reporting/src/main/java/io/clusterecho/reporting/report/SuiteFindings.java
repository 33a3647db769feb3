package io.clusterecho.reporting.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Separates what a suite found about its systems from what makes a result invalid or less comparable. A system that could not
 * sustain a load which goes beyond what some systems can is a finding; earlier versions stored it as a reason to fail.
 *
 * @param word     the verdict.
 * @param reasons  why the result is invalid.
 * @param warnings about numbers that are less comparable.
 */
record SuiteFindings(String word, List<String> reasons, List<String> warnings, List<String> findings)
{
    private static final String RUNS_ARE_GOOD = " runs are good (";

    static SuiteFindings of(final JsonNode suite)
    {
        final List<String> reasons = new ArrayList<>();
        final List<String> warnings = new ArrayList<>();
        final List<String> findings = new ArrayList<>();
        for (final JsonNode reason : suite.at("/verdict/reasons"))
        {
            (isShortfall(suite, reason.asText()) ? findings : reasons).add(reason.asText());
        }
        for (final JsonNode warning : suite.at("/verdict/warnings"))
        {
            (warning.asText().contains(RUNS_ARE_GOOD) ? findings : warnings).add(warning.asText());
        }
        final String stored = suite.at("/verdict/label").asText();
        return new SuiteFindings(
            reasons.isEmpty() && "FAILED".equals(stored) ? "GOOD" : stored, reasons, warnings, findings);
    }

    /**
     * Whether a reason names a system that had messages without a reply, a missed rate or too little memory under a load that
     * goes to such limits.
     */
    private static boolean isShortfall(final JsonNode suite, final String reason)
    {
        return StreamSupport.stream(suite.path("groups").spliterator(), false).anyMatch((group) ->
            reason.startsWith(group.path("name").asText() + ", ") && reason.contains(RUNS_ARE_GOOD) &&
            switch (group.path("workload").asText())
            {
                case "scheduled", "rate-sweep" ->
                    reason.contains(" messages without a reply ") || reason.contains("(rate missed: ");
                case "memory" -> reason.contains(" out of memory");
                default -> false;
            });
    }
}
