/**
 * Reports: result folders are read back, rows are merged where there are more than a chart can show, and all of it is written
 * into one HTML file.
 * <p>
 * Nothing is measured or judged here. Each number on the page is a number of a file, and the verdict is that of the manifest or
 * of the failover test.
 */
package io.clusterecho.reporting.report;
