/**
 * Members on other hosts. An {@link io.clusterecho.control.remote.Inventory} names the hosts; one ssh connection per host leads
 * to an agent there that starts, signals and reads members with the same code as on one machine. Only requests and answers are
 * sent, one line of JSON each. A host needs nothing but the distribution and a JDK, and only the members remain when the
 * connection ends. {@link io.clusterecho.control.remote.Calls} carry the methods of any interface so, also those of a load
 * client.
 */
package io.clusterecho.control.remote;
