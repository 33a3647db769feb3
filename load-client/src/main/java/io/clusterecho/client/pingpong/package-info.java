/**
 * One message after the other, or a few at once: a closed loop, as many published reports measure. Its times say nothing about
 * a fixed rate.
 */
package io.clusterecho.client.pingpong;
