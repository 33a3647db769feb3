/**
 * Placement of members and clients in zones, and the distances between these, emulated on one machine.
 * {@link io.clusterecho.media.zone.Placement} describes all, {@link io.clusterecho.media.zone.Placement.Distances} one process;
 * {@link io.clusterecho.media.link.LinkFilter} applies them.
 */
package io.clusterecho.media.zone;
