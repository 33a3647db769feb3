/**
 * Describes a host: processors, network cards, file systems and limits, read from {@code /proc} and {@code /sys} without root.
 * Every reader takes the root folder, so that it can also read a recorded tree of another host.
 */
package io.clusterecho.host;
