/**
 * What a host is: its processors, network cards, file systems and limits, read from {@code /proc} and {@code /sys} without root.
 * Every reader takes the folder that these lie in, so that a recorded tree of another host can be read as well as this machine.
 */
package io.clusterecho.host;
