/**
 * What the servers of all peers do with a message, whatever library brought it.
 */
package io.clusterecho.peers.server;
