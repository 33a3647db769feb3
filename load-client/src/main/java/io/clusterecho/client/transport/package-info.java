/**
 * What carries a message to an echo and its reply back. One {@link io.clusterecho.client.transport.Transport} is one
 * session of one client.
 */
package io.clusterecho.client.transport;
