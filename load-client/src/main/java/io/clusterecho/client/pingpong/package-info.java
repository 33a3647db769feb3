/**
 * A closed loop with one or a few messages in flight, as many published reports measure it. Its times do not apply to a fixed
 * rate.
 */
package io.clusterecho.client.pingpong;
