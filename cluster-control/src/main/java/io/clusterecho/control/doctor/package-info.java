/**
 * Whether a host is fit for what is going to run on it: one check a line, each with what was found, what is wanted, and a command
 * that puts it right. Nothing of the host is changed, and no root is needed; what cannot be told is said to be unknown.
 */
package io.clusterecho.control.doctor;
