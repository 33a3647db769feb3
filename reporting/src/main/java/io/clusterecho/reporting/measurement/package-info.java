/**
 * What a run measured, as plain values: the outcome of each message, and histograms of times. Written by the load client, read
 * by reports; depends on neither.
 */
package io.clusterecho.reporting.measurement;
