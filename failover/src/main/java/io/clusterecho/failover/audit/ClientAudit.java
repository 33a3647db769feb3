package io.clusterecho.failover.audit;

/**
 * State that the echo service must have for a client at the end of the committed log.
 *
 * @param lastSequence sequence of the last message applied, -1 for none.
 * @param checksum     running checksum over them, see {@link io.clusterecho.schema.RunningChecksum}.
 */
public record ClientAudit(long clientId, long appliedCount, long lastSequence, long checksum)
{
}
