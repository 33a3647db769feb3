/**
 * The remote end of a connection to a host: executes requests, one line of JSON each, with the code that the local commands use.
 */
package io.clusterecho.control.agent;
