/**
 * etcd: a key-value store replicated over three members, asked over its own gRPC interface to put a message and to give it
 * back. The members are processes of an {@code etcd} that this machine has; none comes with the project.
 */
package io.clusterecho.peers.etcd;
