/**
 * Workloads of public reports other than echoes at a fixed rate: a stream of prices, messages in one direction. And the suite,
 * which runs all workloads on all systems, interleaved, and compares the measured with the published ratios.
 */
package io.clusterecho.peers.workload;
