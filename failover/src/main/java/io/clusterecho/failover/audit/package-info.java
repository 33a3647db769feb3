/**
 * Compares the recorded logs of all members with each other and with the journals of the clients.
 * <p>
 * {@link io.clusterecho.failover.audit.Auditor} runs the audit. {@link io.clusterecho.failover.audit.MemberLog} finds a member's
 * log on disk. {@link io.clusterecho.failover.audit.LogReader} reads its frames and checks their checksums.
 * {@link io.clusterecho.failover.audit.LogComparison} finds the committed prefix and assembles its entries.
 * {@link io.clusterecho.failover.audit.Replay} applies them by the rules of the echo service and compares each message with
 * {@link io.clusterecho.failover.audit.AuditedClients}; with the messages of another service,
 * {@link io.clusterecho.failover.audit.RequestIndex} finds which request each one is. The audit only reads files and never loads
 * a whole log into memory.
 */
package io.clusterecho.failover.audit;
