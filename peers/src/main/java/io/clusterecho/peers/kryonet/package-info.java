/** KryoNet over TCP. A message is a byte array, a price an object with its fields, serialized by Kryo. */
package io.clusterecho.peers.kryonet;
