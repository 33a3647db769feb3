/**
 * Apache Ratis: a log replicated over three members, with an echo as its state machine. What a user of the JVM might take
 * instead of Aeron Cluster.
 */
package io.clusterecho.peers.ratis;
