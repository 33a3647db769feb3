/**
 * KryoNet over TCP. A message is a byte array serialized by Kryo.
 */
package io.clusterecho.peers.kryonet;
