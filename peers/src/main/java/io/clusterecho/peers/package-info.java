/**
 * Other systems, measured with the same client: {@link io.clusterecho.peers.command.Peers} is the main class of
 * {@code peers.jar}. The package of a system has a server, which runs in its own process, and a transport for the load client.
 * {@code session} is their common client code, {@code server} their common server code, {@code workload} the workloads of public
 * reports.
 */
package io.clusterecho.peers;
