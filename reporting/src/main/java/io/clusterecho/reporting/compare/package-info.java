/**
 * Compares two sets of runs. The sample is a run, not a message: messages of one run share its conditions, so a million of them
 * prove no more than one. Unproven differences are shown as {@code ~}.
 */
package io.clusterecho.reporting.compare;
