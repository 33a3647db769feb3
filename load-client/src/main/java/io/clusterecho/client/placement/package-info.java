/**
 * Checks an emulated placement: {@link io.clusterecho.client.placement.RoundTripProbe} measures the round trips between its
 * zones.
 */
package io.clusterecho.client.placement;
