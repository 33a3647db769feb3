package io.clusterecho.failover.audit;

import org.agrona.collections.Long2LongHashMap;

/**
 * What the echo service must know of a client after the log was applied.
 */
final class ReplayedClient
{
    static final long NO_SEQUENCE = -1;
    static final long NO_POSITION = -1;

    /** Enough to name where it went wrong; a client that is refused for ever must not fill the memory. */
    private static final int MAX_TOO_EARLY = 100_000;

    final long clientId;
    final ClientJournal journal;
    long lastSequence = NO_SEQUENCE;
    long appliedCount;
    long checksum;
    /** Sequences below this were applied before the log begins, going by a snapshot. */
    long firstSequence;

    private final Long2LongHashMap tooEarlyPositions = new Long2LongHashMap(NO_POSITION);

    ReplayedClient(final long clientId, final ClientJournal journal)
    {
        this.clientId = clientId;
        this.journal = journal;
    }

    /**
     * An ordered message stands before an earlier one of its client, and so is refused.
     */
    void onTooEarly(final long sequence, final long position)
    {
        if (tooEarlyPositions.size() < MAX_TOO_EARLY && !tooEarlyPositions.containsKey(sequence))
        {
            tooEarlyPositions.put(sequence, position);
        }
    }

    void onApplied(final long sequence)
    {
        lastSequence = sequence;
        appliedCount++;
        tooEarlyPositions.remove(sequence);
    }

    /**
     * Where a message stands that was refused and never came again, or {@link #NO_POSITION}.
     */
    long tooEarlyPosition(final long sequence)
    {
        return tooEarlyPositions.get(sequence);
    }

    /**
     * First place at which a message was refused that never came again, or {@link #NO_POSITION}.
     */
    long firstTooEarlyPosition()
    {
        return tooEarlyPositions.values().stream().mapToLong(Long::longValue).min().orElse(NO_POSITION);
    }
}
