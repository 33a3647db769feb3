/**
 * gRPC on Netty: a bidirectional stream with the default or a direct executor, and unary calls. A message is the bytes field of
 * a Protobuf message.
 */
package io.clusterecho.peers.grpc;
