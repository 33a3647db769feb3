/**
 * The main class of {@code peers.jar}; the commands that run a peer's server, and the workloads of public reports other than
 * echoes at a fixed rate: a stream of prices, messages in one direction, calls.
 */
package io.clusterecho.peers.command;
