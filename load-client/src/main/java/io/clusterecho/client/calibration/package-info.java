/**
 * What instrument and machine do by themselves. The load client is measured against known truth: an echo in memory whose delay
 * and stall are known beforehand, so that the right response time of each message follows from its number; what is reported
 * beyond it is the client's own error. The machine is measured without a cluster, with the same schedule and accounts: round
 * trips of datagrams, syncs; the floor of a replicated round trip follows from them, which {@code
 * docs/DIAGNOSIS.md} derives.
 */
package io.clusterecho.client.calibration;
