/**
 * The run itself: {@link io.clusterecho.client.load.LoadAgent} sends what is due and takes what comes, on one thread;
 * {@link io.clusterecho.client.load.LoadExecution} owns all that a load needs, takes the intervals on another thread, and ends
 * everything on every path.
 */
package io.clusterecho.client.load;
