/**
 * Whether an emulated placement is what was asked for: {@link io.clusterecho.client.placement.RoundTripProbe} measures the round
 * trip between zones.
 */
package io.clusterecho.client.placement;
