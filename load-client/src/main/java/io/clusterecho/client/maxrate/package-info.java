/**
 * The highest rate that meets given conditions. {@link io.clusterecho.client.maxrate.RateSearch} decides which rate is tried
 * next, independent of clusters; every trial is a measured run with its own verdict. {@link
 * io.clusterecho.client.maxrate.SearchAnswer} follows from the trials, and {@link io.clusterecho.client.maxrate.MaxRate}
 * contains the sentences that text, JSON and page print.
 * <pre>
 *   bracket     10k passed, 20k passed, 40k failed (twice)
 *   bisect      28.2k failed (twice), 23.8k passed, 25.8k passed, 26.6k failed (twice)
 *   recheck     26.6k failed (twice)
 *   confirm     25.8k passed, passed, passed
 * </pre>
 */
package io.clusterecho.client.maxrate;
