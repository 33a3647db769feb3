/**
 * Common to all transports over Aeron: {@link io.clusterecho.client.transport.aeron.AeronConnection}, an Aeron client with its
 * media driver, and {@link io.clusterecho.client.transport.aeron.RoundTripProbe}, which measures round trips between emulated
 * zones.
 */
package io.clusterecho.client.transport.aeron;
