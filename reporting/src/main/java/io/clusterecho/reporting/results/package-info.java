/**
 * What is made from a measurement: the verdict, the result folder with manifest, histograms and intervals, and the text for a
 * person.
 */
package io.clusterecho.reporting.results;
