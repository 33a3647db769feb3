/**
 * The load client: sends messages at the times of a schedule, whatever the replies do, and accounts for every one. {@code
 * schedule} defines when each message is due, {@code transport} carries it, {@code load} is the agent that sends and receives,
 * {@code record} its records, {@code run} the configuration of all these; {@code maxrate}, {@code sweep} and
 * {@code calibration} make several runs.
 */
package io.clusterecho.client;
