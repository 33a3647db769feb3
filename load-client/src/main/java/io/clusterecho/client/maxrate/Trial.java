package io.clusterecho.client.maxrate;

/**
 * Outcome of one run of a search.
 *
 * @param ratePerSecond tried.
 * @param purpose       of the trial.
 * @param attempt       1, or more if the rate failed the time before.
 * @param isHeld        whether all conditions were met.
 */
record Trial(long ratePerSecond, RateSearch.Purpose purpose, int attempt, boolean isHeld)
{
}
