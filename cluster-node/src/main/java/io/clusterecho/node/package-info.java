/**
 * The system under test: one process per member, and the commands that start, watch and stop members on this machine.
 * {@link io.clusterecho.node.ClusterNode} is the entry; {@code config} holds what a member is told, {@code member} its life
 * cycle, {@code service} the replicated echo service, {@code local} the clusters of one machine.
 */
package io.clusterecho.node;
