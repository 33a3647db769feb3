package io.clusterecho.client.maxrate;

/** Outcome of one run of a search. */
record Trial(long ratePerSecond, RateSearch.Purpose purpose, boolean isPassed)
{
}
