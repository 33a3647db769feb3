/**
 * RSocket over TCP on reactor-netty: a request with its response for each message, and a channel.
 */
package io.clusterecho.peers.rsocket;
