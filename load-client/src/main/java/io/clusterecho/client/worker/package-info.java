/**
 * Several load clients that share one schedule: one process coordinates, the workers are processes of the same program, on this
 * machine or on others. The coordinator calls them over lines of JSON on the worker's standard input and output, so that
 * anything that carries these, such as {@code ssh}, can start a worker. A worker keeps no files: each interval goes to the
 * coordinator as it ends.
 */
package io.clusterecho.client.worker;
