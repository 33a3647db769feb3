/**
 * What is written down while a run goes on: the fate of each message, three distributions of times, counters that other
 * threads may read. Nothing here allocates after construction.
 */
package io.clusterecho.client.record;
