/**
 * Clusters: starts, watches and stops members. A {@link io.clusterecho.control.cluster.Cluster} is defined by its base folder
 * and the files there, so that each command finds what an earlier one started; it holds no processes in memory. The agent of
 * a host answers commands on other machines.
 */
package io.clusterecho.control.cluster;
