package io.clusterecho.failover.audit;

/**
 * What the echo service must know of a client at the end of what the majority holds.
 *
 * @param clientId     of the client.
 * @param appliedCount of its messages.
 * @param lastSequence that was applied, -1 for none.
 * @param checksum     that runs over them, as {@link io.clusterecho.schema.RunningChecksum} defines it.
 */
public record ClientAudit(long clientId, long appliedCount, long lastSequence, long checksum)
{
}
