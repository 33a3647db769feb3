/**
 * The client's side of a session with a library that calls back on threads of its own:
 * {@link io.clusterecho.peers.session.ReplyQueue} hands its replies over to the thread that polls, and
 * {@link io.clusterecho.peers.session.QueuedTransport} bounds what is under way and opens lost sessions again.
 */
package io.clusterecho.peers.session;
