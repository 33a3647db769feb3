/**
 * The run itself: {@link io.clusterecho.client.load.LoadAgent} sends what is due and takes what comes, on one thread;
 * {@link io.clusterecho.client.load.LoadRun} leads it through its phases and watches from another.
 */
package io.clusterecho.client.load;
