/**
 * What is made of a measurement: the verdict, the folder with manifest, histograms and intervals, and the text that a
 * person reads.
 */
package io.clusterecho.reporting.results;
