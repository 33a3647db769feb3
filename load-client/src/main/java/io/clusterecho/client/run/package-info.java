/**
 * What a run is: {@link io.clusterecho.client.run.RunConfig} is made once from the command line and never changed; whatever
 * measures several runs derives the configuration of each from it.
 */
package io.clusterecho.client.run;

