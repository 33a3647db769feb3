/**
 * Sets two sets of runs against one another. A run is the sample, not a message: messages of one run share its luck, so that
 * a million of them prove no more than one. What is not proven is shown as {@code ~}.
 */
package io.clusterecho.reporting.compare;
