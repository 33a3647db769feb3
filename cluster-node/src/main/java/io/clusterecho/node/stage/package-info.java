/**
 * Times of a message's stages at the leader: received from the ingress, recorded by its own archive, committed, delivered to the
 * service. All on the host's monotonic clock, which its processes share, and sent behind replies on request.
 */
package io.clusterecho.node.stage;
