/**
 * When each message is due: pure functions of its index, so that lateness never moves later messages.
 */
package io.clusterecho.client.schedule;
