/**
 * Members on other hosts. An {@link io.clusterecho.control.remote.Inventory} names them; to each that is needed one ssh
 * connection is kept, at whose other end an agent runs the very code that starts,
 * signals and reads members on one machine. Only requests and answers go over the wire, a line of JSON each, so a host needs
 * nothing but the distribution and a JDK, and nothing of ours stays there when the connection ends but the members.
 */
package io.clusterecho.control.remote;
