/**
 * Compares two sets of runs. The sample is a run, not a message: messages of one run share its conditions, so a million of them
 * prove no more than one. Unproven differences are shown as {@code ~}. Results of many commits or days are series of points; the
 * same test compares the newest point with the level before it.
 */
package io.clusterecho.reporting.compare;
