/**
 * Configuration of a run: {@link io.clusterecho.client.run.RunConfig} is made once from the command line and never changed;
 * commands that make several runs derive the configuration of each from it. {@link io.clusterecho.client.run.Target} is what a
 * run sends to.
 */
package io.clusterecho.client.run;

