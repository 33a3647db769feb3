/**
 * What a process tells of itself through the counters of its media driver, and how others read them: one mapping for all who
 * look.
 */
package io.clusterecho.media.counters;
