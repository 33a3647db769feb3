/**
 * Loads of public reports that are not echoes at a fixed rate: a stream of prices, messages in one direction; and the suite that
 * runs all of them, system by system in turns, and puts the published ratios beside what it finds.
 */
package io.clusterecho.peers.workload;
