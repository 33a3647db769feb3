package io.clusterecho.client.audit;

/**
 * What the echo service must know of a client after the log was applied.
 */
final class ReplayedClient
{
    static final long NO_SEQUENCE = -1;

    final long clientId;
    final ClientJournal journal;
    long lastSequence = NO_SEQUENCE;
    long appliedCount;
    long checksum;
    long lastPosition = -1;
    long tooEarlyPosition = -1;

    /** Sequences below this were applied before the log begins, going by a snapshot. */
    long firstSequence;

    ReplayedClient(final long clientId, final ClientJournal journal)
    {
        this.clientId = clientId;
        this.journal = journal;
    }
}
