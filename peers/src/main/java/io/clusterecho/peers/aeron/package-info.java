/**
 * Plain Aeron, without a cluster: messages without encoding, in Protobuf, or as calls with ids that a worker answers.
 * <p>
 * A client publishes to the server and subscribes to replies at its own address or on its own stream. Its first message names
 * them, and the server adds a publication to it.
 */
package io.clusterecho.peers.aeron;
