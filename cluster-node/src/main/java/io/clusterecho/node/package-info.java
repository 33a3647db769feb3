/**
 * The system under test: one process per member. {@link io.clusterecho.node.MemberCommand} runs one; {@code config} has the
 * settings of a member, {@code member} its life cycle, {@code service} the replicated echo service, {@code stage} the times of a
 * message's stages at the leader.
 */
package io.clusterecho.node;
