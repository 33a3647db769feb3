/**
 * KryoNet over TCP. A message is a byte array that Kryo writes.
 */
package io.clusterecho.peers.kryonet;
