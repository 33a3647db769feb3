/**
 * Measures runs one after the other, judges and stores each, and ends in order on a signal.
 */
package io.clusterecho.client.series;
