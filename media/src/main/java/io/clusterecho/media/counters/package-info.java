/** Counters of a process in the CnC file of its media driver, and the code that maps and samples them. */
package io.clusterecho.media.counters;
