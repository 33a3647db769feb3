/**
 * What a machine does without a cluster, measured with the same schedule and accounts: round trips of datagrams, syncs, sleeps,
 * copies; and the floor of a replicated round trip that follows, which {@code docs/DIAGNOSIS.md} derives.
 */
package io.clusterecho.client.baseline;
