/** The main class of {@code peers.jar}, and the command that runs a peer's server. */
package io.clusterecho.peers.command;
