/**
 * etcd: a key-value store replicated over three members, which puts a message and returns it over its gRPC interface. The members
 * run the {@code etcd} program of this machine, which is not part of the project.
 */
package io.clusterecho.peers.etcd;
