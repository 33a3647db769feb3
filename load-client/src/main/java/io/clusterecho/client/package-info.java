/**
 * The instrument: offers messages at the times of a schedule, whatever the answers do, and accounts for every one.
 * {@code schedule} says when each message is due, {@code transport} carries it, {@code load} is the agent that sends and
 * receives, {@code record} what it writes down, {@code run} the configuration of all that; {@code maxrate}, {@code sweep}
 * and {@code baseline} measure run after run.
 */
package io.clusterecho.client;
