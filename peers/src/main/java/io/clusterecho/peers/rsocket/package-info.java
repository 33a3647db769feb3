/** RSocket over TCP on reactor-netty: request-response for each message, and request-channel. */
package io.clusterecho.peers.rsocket;
