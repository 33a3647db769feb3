/** Common to all transports over Aeron: an Aeron client with its media driver. */
package io.clusterecho.client.transport.aeron;
