package io.clusterecho.client.maxrate;

/**
 * Outcome of one run of a search.
 *
 * @param isHeld        whether all conditions were met.
 */
record Trial(long ratePerSecond, RateSearch.Purpose purpose, boolean isHeld)
{
}
