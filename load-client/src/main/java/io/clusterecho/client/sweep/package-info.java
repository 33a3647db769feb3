/**
 * Sweeps: every combination of given settings, measured one after the other on clusters started for them. {@link
 * io.clusterecho.client.sweep.SweepPlan} combines the settings and sets the order, {@link
 * io.clusterecho.client.sweep.SweepRecord} keeps the results so that a killed sweep can resume.
 * <pre>
 *   repeat 1   cluster fsync=0: size=32, size=288   cluster fsync=1: size=32, size=288
 *   repeat 2   cluster fsync=0: size=32, size=288   cluster fsync=1: size=32, size=288   and so on
 * </pre>
 * A machine that slows down meanwhile affects all cells alike, and a cluster is started once for all cells of a repeat that can
 * share it.
 */
package io.clusterecho.client.sweep;
