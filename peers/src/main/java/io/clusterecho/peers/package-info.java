/**
 * Other systems, measured with the same client: {@link io.clusterecho.peers.command.Peers} is the main class of
 * {@code peers.jar}. A {@link io.clusterecho.peers.Peer} is one system: its server, which runs in its own process and answers by
 * the protocol of {@link io.clusterecho.peers.Conversation}, and the sessions of its client.
 * <p>
 * Most libraries call back on their own threads. Such a session is a {@link io.clusterecho.peers.Link} with a
 * {@link io.clusterecho.peers.QueuedTransport}, which limits the messages in flight and reopens a lost connection;
 * {@link io.clusterecho.peers.ReplyQueue} passes replies to the polling thread.
 */
package io.clusterecho.peers;
