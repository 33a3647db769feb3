/** HTTP/1.1 with keep-alive on reactor-netty, one request at a time per connection. */
package io.clusterecho.peers.http;
