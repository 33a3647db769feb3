/**
 * What a run is: {@link io.clusterecho.client.run.RunConfig} is made once from the command line and never changed; whatever
 * measures several runs derives the configuration of each from it. {@link io.clusterecho.client.run.Target} is what a run is
 * directed at, with all that is known of it.
 */
package io.clusterecho.client.run;

