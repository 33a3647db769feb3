package io.clusterecho.failover.audit;

import org.agrona.collections.Long2LongHashMap;

/** State that the echo service must have for a client after the log was replayed. */
final class ReplayedClient
{
    static final long NO_SEQUENCE = -1;
    static final long NO_POSITION = -1;

    /** Enough to report the first rejections; a client that is always rejected must not exhaust memory. */
    private static final int MAX_TOO_EARLY = 100_000;

    final long clientId;
    final ClientJournal journal;
    long lastSequence = NO_SEQUENCE;
    long appliedCount;
    long checksum;
    /** Sequences below this were applied before the first snapshot, according to it. */
    long firstSequence;
    /** Whether the checksum in that snapshot is that of the client's acknowledged messages. */
    boolean isSnapshotProven;
    /** Acknowledged messages that the first snapshot should have, and by its count has not. */
    long missingCount;

    private final Long2LongHashMap tooEarlyPositions = new Long2LongHashMap(NO_POSITION);

    ReplayedClient(final long clientId, final ClientJournal journal)
    {
        this.clientId = clientId;
        this.journal = journal;
    }

    /** An ordered message precedes an earlier one of its client and so is rejected. */
    void onTooEarly(final long sequence, final long position)
    {
        if (tooEarlyPositions.size() < MAX_TOO_EARLY && !tooEarlyPositions.containsKey(sequence))
        {
            tooEarlyPositions.put(sequence, position);
        }
    }

    /** @param sequence of the last message of this client that the state of the cluster has, or {@link #NO_SEQUENCE}. */
    void keep(final long sequence)
    {
        for (long undone = sequence + 1; null != journal && undone <= lastSequence; undone++)
        {
            journal.clear(undone, ClientJournal.Fact.APPLIED);
        }
        lastSequence = Math.min(sequence, lastSequence);
        appliedCount = NO_SEQUENCE == sequence ? 0 : appliedCount;
        checksum = NO_SEQUENCE == sequence ? 0 : checksum;
    }

    void onApplied(final long sequence)
    {
        lastSequence = sequence;
        appliedCount++;
        tooEarlyPositions.remove(sequence);
    }

    /** Position of a message that was rejected and never applied later, or {@link #NO_POSITION}. */
    long tooEarlyPosition(final long sequence)
    {
        return tooEarlyPositions.get(sequence);
    }

    /** First position of any message that was rejected and never applied later, or {@link #NO_POSITION}. */
    long firstTooEarlyPosition()
    {
        return tooEarlyPositions.values().stream().mapToLong(Long::longValue).min().orElse(NO_POSITION);
    }
}
