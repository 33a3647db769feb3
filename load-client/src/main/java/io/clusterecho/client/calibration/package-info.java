/**
 * The load client measured against known truth: an echo in memory whose delay and stall are known beforehand, so that the right
 * response time of each message follows from its number. What is reported beyond it is the client's own error.
 */
package io.clusterecho.client.calibration;
