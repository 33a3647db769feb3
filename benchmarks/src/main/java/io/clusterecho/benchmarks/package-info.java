/**
 * Cost of each step of the client for a message, measured alone: on a machine where the client shares cores with a cluster, a
 * slower step would not show in a run. {@code docs/LOADS.md} describes how to run them.
 */
package io.clusterecho.benchmarks;
