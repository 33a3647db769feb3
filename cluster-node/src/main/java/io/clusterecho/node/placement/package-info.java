/**
 * Where members and clients stand, and how far that is from one another, emulated on one machine.
 * {@link io.clusterecho.node.placement.Placement} says it for all, {@link io.clusterecho.node.placement.Distances} for one
 * process; {@link io.clusterecho.node.fault.LinkFilter} does it.
 */
package io.clusterecho.node.placement;
