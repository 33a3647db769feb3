/**
 * The machine under a process: how often it stopped ({@link io.clusterecho.platform.StallMeter}) and what it is
 * ({@link io.clusterecho.platform.MachineFacts}).
 */
package io.clusterecho.platform;
