/**
 * The clusters of one machine: starts members as processes of their own, watches and stops them. A
 * {@link io.clusterecho.control.local.LocalCluster} is its base folder and what is written there, so that each command finds
 * what an earlier one started; it holds no processes in memory. Members are told from other processes by pid and start
 * time, are only ever ended by these, and are asked nothing: what they do is read from their counters and mark files.
 */
package io.clusterecho.control.local;
