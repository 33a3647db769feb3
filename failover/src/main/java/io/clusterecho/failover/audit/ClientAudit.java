package io.clusterecho.failover.audit;

/** State that the echo service must have for a client at the end of the committed log; the last sequence is -1 for none. */
public record ClientAudit(long clientId, long appliedCount, long lastSequence, long checksum)
{
}
