/**
 * Carries messages to an echo and replies back. A {@link io.clusterecho.client.transport.Transport} is one session of one
 * client.
 */
package io.clusterecho.client.transport;
