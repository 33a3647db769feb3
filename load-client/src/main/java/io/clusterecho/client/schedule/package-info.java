/**
 * When each message is due, of which kind it is, and how long: pure functions of its index, so that lateness never moves later
 * messages, and several clients can share a load.
 */
package io.clusterecho.client.schedule;
