/**
 * What a run measured, as plain values: the fate of each message, and histograms of its times. Written by what measures, read
 * by what judges and shows; it knows neither.
 */
package io.clusterecho.reporting.measurement;
