/**
 * When each message is due: pure functions of its index, so that being late never moves what comes after.
 */
package io.clusterecho.client.schedule;
