/**
 * Sweeps: every combination of given settings, measured in turn on clusters that are started for them.
 * {@link io.clusterecho.client.sweep.SweepPlan} crosses the settings and sets the order,
 * {@link io.clusterecho.client.sweep.SweepRecord} keeps what was measured so that a sweep that was killed goes on where it
 * was.
 * <pre>
 *   repeat 1   cluster fsync=0: size=32, size=288   cluster fsync=1: size=32, size=288
 *   repeat 2   cluster fsync=0: size=32, size=288   cluster fsync=1: size=32, size=288   and so on
 * </pre>
 * A machine that becomes slower in the meantime does so for all of them alike, and a cluster is started once for all cells
 * of a repeat that it can serve.
 */
package io.clusterecho.client.sweep;
