/**
 * The load client's own times compared with a packet capture: for each message the time from its request to its reply on the
 * wire, which another program stamped with the kernel's clock. What the client reports beyond it was spent in the client.
 */
package io.clusterecho.client.witness;
