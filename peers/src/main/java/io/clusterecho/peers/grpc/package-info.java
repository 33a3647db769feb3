/**
 * gRPC on Netty: a bidirectional stream, with gRPC's own executor and with a direct one, and unary calls. A message is the bytes
 * field of a Protobuf message.
 */
package io.clusterecho.peers.grpc;
