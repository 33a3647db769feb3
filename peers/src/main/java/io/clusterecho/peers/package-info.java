/**
 * Other systems, measured with the same client: {@link io.clusterecho.peers.command.Peers} is the entry of {@code peers.jar}.
 * Each package has a server that runs in a process of its own and a transport of the load client. {@code session} is the
 * client's side that they share, {@code server} what their servers answer, {@code workload} the loads of public reports.
 */
package io.clusterecho.peers;
