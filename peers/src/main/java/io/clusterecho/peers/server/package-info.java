/** The common protocol of all peers' servers. */
package io.clusterecho.peers.server;
