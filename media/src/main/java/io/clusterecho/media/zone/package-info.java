/**
 * Where members and clients stand, and how far that is from one another, emulated on one machine.
 * {@link io.clusterecho.media.zone.Placement} says it for all, {@link io.clusterecho.media.zone.Distances} for one
 * process; {@link io.clusterecho.media.link.LinkFilter} does it.
 */
package io.clusterecho.media.zone;
