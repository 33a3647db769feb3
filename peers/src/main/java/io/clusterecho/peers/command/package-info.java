/**
 * The entry of {@code peers.jar} and what starts a peer's server.
 */
package io.clusterecho.peers.command;
