/**
 * The replicated echo service: what it remembers of each client ({@code ClientTable}), how it answers ({@code Egress}, with
 * the policy for slow clients in {@code EgressBacklog}), its timer, its snapshot and its counters.
 * {@code PlainEchoService} sends messages back as they came, with the same policy.
 * <p>
 * Everything here runs on the one thread of the service container. Replicated state is a function of the log alone;
 * backlogs and counters belong to the member and are never part of it.
 */
package io.clusterecho.node.service;
