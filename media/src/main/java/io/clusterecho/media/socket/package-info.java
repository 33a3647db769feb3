/** Waiting at the sockets of a media driver, for a thread that runs a whole member. */
package io.clusterecho.media.socket;
