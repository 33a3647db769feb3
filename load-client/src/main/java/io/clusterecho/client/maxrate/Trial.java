package io.clusterecho.client.maxrate;

/**
 * What became of one run of a search.
 *
 * @param ratePerSecond tried.
 * @param purpose       of the trial.
 * @param attempt       1, or more when the rate broke the time before.
 * @param isHeld        whether all conditions held.
 */
record Trial(long ratePerSecond, RateSearch.Purpose purpose, int attempt, boolean isHeld)
{
}
