/**
 * What the machine does without a cluster, measured with the same schedule and the same accounts: datagrams there and back,
 * syncs, sleeps, copies. And what follows from it: the floor of a replicated round trip, which {@code docs/FLOOR.md} derives.
 */
package io.clusterecho.client.baseline;
