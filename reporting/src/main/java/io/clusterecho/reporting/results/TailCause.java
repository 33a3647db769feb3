package io.clusterecho.reporting.results;

/**
 * A likely cause of slow replies.
 *
 * @param rule    that found it, a word or two with dashes, the same in all versions.
 * @param cause   what happened, with numbers, in a sentence.
 * @param advice  which setting to try, in a sentence.
 * @param present share of the rows in which it happened, 0 to 1.
 * @param share   of the excess of slow rows that lies where this happened, 0 to 1. Things that happen together share rows:
 *                shares do not add up to 1.
 */
public record TailCause(String rule, String cause, String advice, double present, double share)
{
}
