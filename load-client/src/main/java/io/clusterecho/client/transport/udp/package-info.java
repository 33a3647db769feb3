/**
 * Plain datagrams between two processes of one machine: what the network of the host takes, with nothing of Aeron's on top.
 */
package io.clusterecho.client.transport.udp;
