/**
 * Checks whether a host is fit for what will run on it: one line per check, with what was found, what is wanted, and a command
 * that fixes it. Changes nothing on the host and needs no root; what cannot be determined is reported as unknown.
 */
package io.clusterecho.control.doctor;
