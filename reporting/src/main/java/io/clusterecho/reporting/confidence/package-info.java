/**
 * How far a run determines its own percentiles: intervals of confidence that respect that messages and intervals of a run
 * depend on each other.
 */
package io.clusterecho.reporting.confidence;
