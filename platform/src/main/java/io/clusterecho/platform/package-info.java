/**
 * The machine under a process: its stalls ({@link io.clusterecho.platform.StallMeter}) and its properties
 * ({@link io.clusterecho.platform.MachineFacts}).
 */
package io.clusterecho.platform;
