/**
 * Clusters: starts, watches and stops members. A {@link io.clusterecho.control.cluster.Cluster} is defined by its base folder
 * and the files there, so that each command finds what an earlier one started; it holds no processes in memory.
 */
package io.clusterecho.control.cluster;
