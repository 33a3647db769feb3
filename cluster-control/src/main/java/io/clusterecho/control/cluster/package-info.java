/**
 * Clusters: starts members, watches and stops them. A {@link io.clusterecho.control.cluster.Cluster} is its base folder
 * and what is written there, so that each command finds what an earlier one started; it holds no processes in memory.
 */
package io.clusterecho.control.cluster;
