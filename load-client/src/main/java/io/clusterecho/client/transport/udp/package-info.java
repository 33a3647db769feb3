/** Plain datagrams between two processes of one machine: the cost of the host's network without Aeron. */
package io.clusterecho.client.transport.udp;
