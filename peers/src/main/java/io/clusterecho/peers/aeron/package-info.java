/**
 * Plain Aeron, without a cluster: messages as they are, in Protobuf, or as calls with ids that a worker answers.
 * <p>
 * A client publishes to the server and subscribes to replies at an address, or on a stream, of its own, which its first
 * message names; the server adds a publication to there.
 */
package io.clusterecho.peers.aeron;
