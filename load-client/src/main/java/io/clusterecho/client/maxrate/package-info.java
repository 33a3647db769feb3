/**
 * The highest rate at which given conditions hold. {@link io.clusterecho.client.maxrate.RateSearch} decides which rate is
 * tried next and knows nothing of clusters; every trial is a measured run with a verdict of its own.
 * {@link io.clusterecho.client.maxrate.SearchAnswer} follows from the trials, and
 * {@link io.clusterecho.client.maxrate.MaxRate} has each sentence that text, JSON and page print.
 * <pre>
 *   bracket     10k held, 20k held, 40k broken (twice)
 *   bisect      28.2k broken (twice), 23.8k held, 25.8k held, 26.6k broken (twice)
 *   recheck     26.6k broken (twice)
 *   confirm     25.8k held, held, held
 * </pre>
 */
package io.clusterecho.client.maxrate;
