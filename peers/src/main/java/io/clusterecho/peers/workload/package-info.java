/**
 * Workloads of public reports other than echoes at a fixed rate: a stream of prices, messages in one direction, calls. And the
 * processes of the servers that a sweep starts.
 */
package io.clusterecho.peers.workload;
