/**
 * Client sessions over libraries that call back on their own threads. {@link io.clusterecho.peers.session.ReplyQueue} passes
 * replies to the polling thread. {@link io.clusterecho.peers.session.QueuedTransport} limits the messages in flight and reopens
 * lost sessions.
 */
package io.clusterecho.peers.session;
