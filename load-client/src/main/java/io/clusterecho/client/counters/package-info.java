/**
 * What members, client and machine count while a run goes on, sampled at the end of each of its intervals: so that slow replies
 * can be laid beside what happened at that time.
 */
package io.clusterecho.client.counters;
