/**
 * Common to all transports over Aeron: {@link io.clusterecho.client.transport.aeron.AeronConnection}, an Aeron client with its
 * media driver.
 */
package io.clusterecho.client.transport.aeron;
