/**
 * The replicated echo service: the state of each client ({@code ClientTable}), replies ({@code Egress}, with the policy for slow
 * clients in {@code EgressBacklog}), the flush timer, snapshots and counters.
 * <p>
 * Everything here runs on the one thread of the service container. Replicated state is a function of the log alone; backlogs and
 * counters belong to the member and are never part of it.
 */
package io.clusterecho.node.service;
