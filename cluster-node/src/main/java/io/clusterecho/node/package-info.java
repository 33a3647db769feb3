/**
 * The system under test: one process per member. {@link io.clusterecho.node.MemberCommand} runs one; {@code config} holds the
 * settings of a member, {@code member} its life cycle, {@code service} the replicated echo service, {@code stage} the times at
 * which the leader had a message where.
 */
package io.clusterecho.node;
