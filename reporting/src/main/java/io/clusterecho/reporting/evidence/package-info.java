/**
 * Files that grow during a run. A full disk ends a file at its last complete row and becomes a problem of the result; it never
 * ends the run.
 */
package io.clusterecho.reporting.evidence;
