/**
 * What each step that the client takes for a message costs, alone: on a machine where all of it shares cores with a cluster, a
 * slower step would not be seen in a run. {@code docs/PERFORMANCE.md} tells how to run them, and holds their figures.
 */
package io.clusterecho.benchmarks;
