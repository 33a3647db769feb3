/**
 * How far a run determines its own percentiles, given that its messages and its intervals depend on each other, and where a
 * series changed its level.
 */
package io.clusterecho.reporting.confidence;
