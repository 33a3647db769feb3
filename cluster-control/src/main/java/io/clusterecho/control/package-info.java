/**
 * Operates a cluster: starts, stops and watches members on this machine and on other hosts.
 * {@link io.clusterecho.control.ClusterNode} is the main class of {@code cluster-node.jar}, which also runs a member.
 */
package io.clusterecho.control;
