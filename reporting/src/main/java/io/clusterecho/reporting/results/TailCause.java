package io.clusterecho.reporting.results;

import java.util.Set;

/**
 * A likely cause of slow replies.
 *
 * @param rule    that found it: one or two words with dashes, the same in all versions.
 * @param cause   what happened, with numbers, in a sentence.
 * @param advice  setting to try, in a sentence.
 * @param present share of the rows in which it happened, 0 to 1.
 * @param share   share of the excess time of slow rows that lies in rows where it happened, 0 to 1. Causes share rows, so
 *                shares do not add up to 1.
 */
public record TailCause(String rule, String cause, String advice, double present, double share)
{
    /** Rules that find what does not belong to the test: the same run elsewhere, or later, would be another. */
    public static final Set<String> RULES_OF_OTHERS = Set.of("other-programs", "other-clients", "steal", "throttled");
}
