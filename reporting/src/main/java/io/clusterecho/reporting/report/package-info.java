/**
 * Result folders as a page that people look at: read back from their files, joined where there is more than a chart can
 * show, and put into one HTML file that needs nothing else.
 * <p>
 * Nothing is measured or judged here. A number on the page is a number of a file, and the verdict is the manifest's, or
 * that of the failover test.
 */
package io.clusterecho.reporting.report;
