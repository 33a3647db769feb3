/**
 * The far end of the connection to a host: does there what the commands do on one machine, as lines of JSON ask for it.
 */
package io.clusterecho.control.agent;
