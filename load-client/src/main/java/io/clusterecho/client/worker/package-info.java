/**
 * Several load clients that offer one schedule together: one process coordinates, the workers are processes of the same
 * program, on this machine or on others. Coordinator and worker talk in lines of JSON over the worker's standard input and
 * output, so that anything that carries these carries a worker, {@code ssh} for one. A worker keeps no files: each interval
 * goes to the coordinator as it ends.
 */
package io.clusterecho.client.worker;
