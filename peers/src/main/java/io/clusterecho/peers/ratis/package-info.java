/**
 * Apache Ratis: a log replicated over three members, with an echo as its state machine. An alternative to Aeron Cluster on the
 * JVM.
 */
package io.clusterecho.peers.ratis;
