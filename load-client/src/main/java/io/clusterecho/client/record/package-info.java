/**
 * What is recorded during a run: the state of each message, three distributions of times, counters that other threads may read,
 * and files that grow. Calls by the agent do not allocate after construction.
 */
package io.clusterecho.client.record;
