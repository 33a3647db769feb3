/**
 * The run itself: {@link io.clusterecho.client.load.LoadAgent} sends due messages and receives replies, on one thread; {@link
 * io.clusterecho.client.load.LoadExecution} owns everything that a load needs, takes the intervals on another thread, and
 * releases everything on every path.
 */
package io.clusterecho.client.load;
