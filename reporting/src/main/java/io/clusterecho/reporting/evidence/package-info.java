/**
 * Files that grow while a run goes on. A full disk ends a file at its last whole row and becomes a problem of the result; it
 * never ends the run.
 */
package io.clusterecho.reporting.evidence;
