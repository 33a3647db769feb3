/**
 * Reports: result folders are read back, rows are merged where there are more than a chart can show, and all of it is written
 * into one HTML file.
 * <p>
 * The page measures and judges nothing: each number on it is a number of a file, and the verdict is that of the manifest or of
 * the failover test. {@link io.clusterecho.reporting.report.DocumentedResult} stores searches, calibrations and closed loops,
 * with the verdict of its caller.
 */
package io.clusterecho.reporting.report;
