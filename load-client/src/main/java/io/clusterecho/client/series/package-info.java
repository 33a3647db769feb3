/** Measures runs one after the other, judges and stores each, and ends cleanly on a signal. */
package io.clusterecho.client.series;
