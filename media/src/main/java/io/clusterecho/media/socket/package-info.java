/**
 * The sockets of a media driver as what its one thread waits at when it has nothing to do.
 */
package io.clusterecho.media.socket;
