/**
 * The instrument: offers messages at the times of a schedule, whatever the answers do, and accounts for every one.
 * {@link io.clusterecho.client.LoadClient} is the entry. {@code schedule} says when each message is due, {@code transport}
 * carries it, {@code load} is the agent that sends and receives, {@code record} what it writes down, {@code results} what is
 * made of that, {@code command} what a user can type.
 */
package io.clusterecho.client;
