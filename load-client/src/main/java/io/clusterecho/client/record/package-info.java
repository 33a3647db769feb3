/**
 * What is written down while a run goes on: the fate of each message, three distributions of times, counters that other
 * threads may read, and files that grow. What the agent calls does not allocate after construction.
 */
package io.clusterecho.client.record;
