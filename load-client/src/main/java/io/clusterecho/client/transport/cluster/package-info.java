/**
 * Aeron Cluster as a transport: {@link io.clusterecho.client.transport.cluster.ClusterConnector} owns the client's media
 * driver, {@link io.clusterecho.client.transport.cluster.ClusterTransport} is one session.
 */
package io.clusterecho.client.transport.cluster;
