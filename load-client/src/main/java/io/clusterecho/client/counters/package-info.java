/**
 * Counters of members, client and machine, sampled at the end of each interval of a run, to compare slow replies with what
 * happened at that time.
 */
package io.clusterecho.client.counters;
